import Foundation
import NearbyDeviceMachine
import NearbyEstimation
import NearbyLive
import NearbyRadioLinks
import TestSupport
import Testing

@Suite("Poses of a live device", .ownThreads)
struct LivePosesTests {
  @Test(
    "An address states the source, its frame convention and its up axis",
    arguments: [
      ("stdin", PoseAddress.Place.standardInput, PoseAddress.Frame.device, PoseAddress.Up.z),
      ("file:/tmp/a b.tum,up=y", .file("/tmp/a b.tum"), .device, .y),
      ("tcp:[::1]:9,up=z,frame=body", .tcp(host: "::1", port: 9), .body, .z),
    ])
  func address(text: String, place: PoseAddress.Place, frame: PoseAddress.Frame, up: PoseAddress.Up) throws {
    let address = try PoseAddress(text)
    #expect(address.place == place)
    #expect(address.frame == frame)
    #expect(address.up == up)
  }

  @Test(
    "An invalid address throws an error that says what was expected",
    arguments: [
      ("", "stdin, tcp:HOST:PORT or file:PATH"), ("file:", "stdin, tcp:HOST:PORT or file:PATH"),
      ("stdin,", "frame=device|optical|body or up=z|y"),
      ("stdin,up=x", "frame=device|optical|body or up=z|y"),
      ("stdin,frame", "frame=device|optical|body or up=z|y"), ("tcp:host", "HOST:PORT"),
    ])
  func noAddress(text: String, expected: String) {
    #expect {
      try PoseAddress(text)
    } throws: { error in
      if case .badAddress(_, let said)? = error as? LinkError { said == expected } else { false }
    }
  }

  @Test(
    "In every frame convention, a source facing ahead gives an upright device whose back faces ahead",
    arguments: PoseAddress.Frame.allCases)
  func frames(frame: PoseAddress.Frame) throws {
    // Which axes point ahead and up in each frame convention.
    let (ahead, up): (SIMD3<Double>, SIMD3<Double>) =
      switch frame {
      case .device: ([0, 0, -1], [0, 1, 0])
      case .optical: ([0, 0, 1], [0, -1, 0])
      case .body: ([1, 0, 0], [0, 0, 1])
      }
    let address = try PoseAddress("stdin,frame=\(frame.rawValue)")
    let turn = SIMD4(0.1, 0.7, -0.3, 0.5)
    let unit = turn / (turn * turn).sum().squareRoot()
    let source = DevicePose(positionInWorld: [1, 2, 3], worldFromDevice: unit)
    let pose = address.devicePose(position: [1, 2, 3], turn: unit)
    #expect(distance(pose.turned([0, 0, -1]), source.turned(ahead)) < 1e-12)
    #expect(distance(pose.turned([0, 1, 0]), source.turned(up)) < 1e-12)
    #expect(pose.positionInWorld == [1, 2, 3])
  }

  @Test("Poses of a world whose y axis points up are converted to z up")
  func yUp() throws {
    let pose = try PoseAddress("stdin,up=y").devicePose(position: [1, 2, 3], turn: [0, 0, 0, 1])
    #expect(pose.positionInWorld == [1, -3, 2])
    #expect(distance(pose.turned([0, 1, 0]), [0, 0, 1]) < 1e-12)
    #expect(distance(pose.turned([0, 0, -1]), [0, 1, 0]) < 1e-12)
  }

  @Test("A file's poses are delivered in order up to the first invalid line, which is reported")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("poses-\(UUID()).tum")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("# made here\n5 1 0 0 0 0 0 1\n5.001 2 0 0 0 0 0 1\n5.002 3 0 0 0 0 0 2\n".utf8).write(to: file)
    let (frames, sink) = AsyncStream.makeStream(of: CameraFrame.self)
    let poses = LivePoses(try PoseAddress("file:\(file.path)")) { text in
      #expect(text.contains(":4: qx qy qz qw"), "\(text)")
      sink.finish()
    }
    poses.start { sink.yield($0) }
    var places: [Double] = []
    for await frame in frames { places.append(frame.pose.positionInWorld.x) }
    #expect(places == [1, 2])
  }

  @Test("Poses arrive over TCP, also from a program that reconnects")
  func overTCP() async throws {
    let (listener, port) = try TCPSockets.listen(host: "127.0.0.1", port: 0)
    defer { close(listener) }
    let (frames, sink) = AsyncStream.makeStream(of: CameraFrame.self)
    let poses = LivePoses(try PoseAddress("tcp:127.0.0.1:\(port)")) { _ in }
    poses.start { sink.yield($0) }
    var iterator = frames.makeAsyncIterator()
    for turn in 1...2 {
      let connection = try await Self.accept(listener)
      let text = "1 \(turn) 0 0 0 0 0 1\n"
      _ = text.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      let frame = await iterator.next()
      #expect(frame?.pose.positionInWorld.x == Double(turn))
      close(connection)
    }
    poses.close()
  }

  /// Waits for a connection on a thread that may block.
  private static func accept(_ listener: Int32) async throws -> Int32 {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        var poll = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        _ = Foundation.poll(&poll, 1, 10_000)
        do throws(LinkError) {
          continuation.resume(returning: try TCPSockets.accept(from: listener) ?? -1)
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    ((a - b) * (a - b)).sum().squareRoot()
  }
}
