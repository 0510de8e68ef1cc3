import Synchronization

/// Why parts of this process's own device do not work, so that a program that ends because of it can say so.
package enum DeviceTrouble {
  /// A part that may be missing.
  package enum Part: Hashable, Sendable {
    /// The chip of `NEARBY_RADIO`, or the world of `NEARBY_WORLD`. Its reason has already been printed.
    case radio
    case bluetooth
    case peerNetwork
  }

  private static let reasons = Mutex<[Part: String]>([:])

  /// The last reason, or `nil` if the part works or nothing is known.
  package static func reason(of part: Part) -> String? { reasons.withLock { $0[part] } }

  /// Stores a reason; `nil` once the part works.
  package static func set(_ reason: String?, for part: Part) { reasons.withLock { $0[part] = reason } }
}
