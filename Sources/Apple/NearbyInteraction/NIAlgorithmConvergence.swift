import Foundation
import NearbyEstimation

/// How far camera assistance has come in locating a peer in the world.
public final class NIAlgorithmConvergence: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// The state, with the reasons that keep it from converging.
  public let status: NIAlgorithmConvergenceStatus

  init(status: NIAlgorithmConvergenceStatus) {
    self.status = status
    super.init()
  }

  convenience init(missing: ConvergenceReasons) {
    let reasons = missing.names.map(NIAlgorithmConvergenceStatus.Reason.init)
    self.init(status: reasons.isEmpty ? .converged : .notConverged(reasons))
  }

  /// Returns the object itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  private enum Key {
    static let state = "state"
    static let reasons = "reasons"
  }

  /// Reads an archived state; a state unknown to this version reads as `unknown`.
  public required init?(coder: NSCoder) {
    switch coder.decodeInteger(forKey: Key.state) {
    case 1:
      let text = coder.decodeObject(of: NSString.self, forKey: Key.reasons).map(String.init) ?? ""
      status = .notConverged(text.split(separator: "\n").map { .init(rawValue: String($0)) })
    case 2: status = .converged
    default: status = .unknown
    }
    super.init()
  }

  /// Writes the state.
  public func encode(with coder: NSCoder) {
    switch status {
    case .unknown: coder.encode(0, forKey: Key.state)
    case .notConverged(let reasons):
      coder.encode(1, forKey: Key.state)
      coder.encode(reasons.map(\.rawValue).joined(separator: "\n") as NSString, forKey: Key.reasons)
    case .converged: coder.encode(2, forKey: Key.state)
    }
  }
}

/// The states of `NIAlgorithmConvergence`.
public enum NIAlgorithmConvergenceStatus: Equatable, Sendable {
  /// Camera assistance is off, or has not begun.
  case unknown
  /// The peer cannot be located yet; several reasons can apply at once.
  case notConverged([Reason])
  /// The peer's position in the world is known.
  case converged
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted

  /// Something that camera assistance still lacks.
  public struct Reason: Hashable, RawRepresentable, Sendable {
    /// An opaque value; compare with the constants below.
    public var rawValue: String
    /// Creates a reason from a raw value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device has hardly moved.
    public static let insufficientMovement = Reason(rawValue: "insufficientMovement")
    /// The device needs to be moved from side to side.
    public static let insufficientHorizontalSweep = Reason(rawValue: "insufficientHorizontalSweep")
    /// The device needs to be moved up and down.
    public static let insufficientVerticalSweep = Reason(rawValue: "insufficientVerticalSweep")
    /// It is too dark for the camera.
    public static let insufficientLighting = Reason(rawValue: "insufficientLighting")
    /// The signal received from the peer is too weak.
    public static let insufficientSignalStrength = Reason(rawValue: "insufficientSignalStrength")

    /// Advice to the user; `nil` for a reason unknown to this version.
    public var localizedDescription: String? {
      switch self {
      case .insufficientMovement: "Move around."
      case .insufficientHorizontalSweep: "Move the device from side to side."
      case .insufficientVerticalSweep: "Move the device up and down."
      case .insufficientLighting: "Find more light."
      case .insufficientSignalStrength: "Move closer, or out from behind an obstacle."
      default: nil
      }
    }
  }
}
