import NearbyEstimation
import NearbyRadioLinks

/// The source of a live device's poses, and their axes:
/// `stdin`, `tcp:HOST:PORT` or `file:PATH`, each with `,frame=device|optical|body` and `,up=z|y` after it.
package struct PoseAddress: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case standardInput
    /// A server to connect to; reconnected after a lost connection.
    case tcp(host: String, port: UInt16)
    /// A file, replayed at the pace of its own times.
    case file(String)
  }

  /// The frame whose orientation the poses give.
  package enum Frame: String, Hashable, Sendable, CaseIterable {
    /// x right, y up, −z out of the back.
    case device
    /// A camera's: x right, y down, z ahead.
    case optical
    /// A vehicle's: x ahead, y left, z up.
    case body
  }

  /// The axis of the poses' world that points up.
  package enum Up: String, Hashable, Sendable, CaseIterable { case z, y }

  package var place: Place
  package var frame = Frame.device
  package var up = Up.z

  package init(_ text: String) throws(LinkError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    place = try Self.place(parts.first.map(String.init) ?? "")
    for option in parts.dropFirst() {
      let pair = option.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2, pair[0] == "frame", let frame = Frame(rawValue: pair[1]) {
        self.frame = frame
      } else if pair.count == 2, pair[0] == "up", let up = Up(rawValue: pair[1]) {
        self.up = up
      } else {
        throw .badAddress(found: String(option), expected: "frame=device|optical|body or up=z|y")
      }
    }
  }

  private static func place(_ text: String) throws(LinkError) -> Place {
    if text == "stdin" { return .standardInput }
    if text.hasPrefix("file:"), text.utf8.count > 5 { return .file(String(text.dropFirst(5))) }
    guard text.hasPrefix("tcp:") else {
      throw .badAddress(found: text, expected: "stdin, tcp:HOST:PORT or file:PATH")
    }
    let (host, port) = try RadioAddress.hostAndPort(String(text.dropFirst(4)), allowsPortZero: false)
    return .tcp(host: host, port: port)
  }

  /// Converts a pose of the source to one of the device, in a world whose z axis points up.
  ///
  /// - Parameters:
  ///   - position: Metres.
  ///   - turn: World from the source's frame, unit quaternion x, y, z, w.
  package func devicePose(position: SIMD3<Double>, turn: SIMD4<Double>) -> DevicePose {
    let half = 0.5.squareRoot()
    let frameFromDevice =
      switch frame {
      case .device: SIMD4(0.0, 0, 0, 1)
      case .optical: SIMD4(1.0, 0, 0, 0)
      // The device's right is the body's −y, its up z, its screen's side −x.
      case .body: SIMD4(0.5, -0.5, -0.5, 0.5)
      }
    var pose = DevicePose(
      positionInWorld: position, worldFromDevice: Self.product(turn, frameFromDevice))
    if up == .y {
      let upright = SIMD4(half, 0, 0, half)
      pose.worldFromDevice = Self.product(upright, pose.worldFromDevice)
      pose.positionInWorld = SIMD3(position.x, -position.z, position.y)
    }
    return pose
  }

  private static func product(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
  }
}
