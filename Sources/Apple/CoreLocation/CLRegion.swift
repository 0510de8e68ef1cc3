import Foundation
import Synchronization

/// A region that can be monitored. Beacon regions are equal if identifier and beacons match; other regions
/// are compared by identifier alone.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // The identifier is immutable; the flags are behind the lock.
  private struct Flags: Sendable {
    var onEntry = true
    var onExit = true
  }

  private let flags = Mutex(Flags())
  private let name: String

  /// The region's identifier. Monitoring another region with the same identifier replaces this one.
  open var identifier: String { name }

  init(identifier: String) { name = identifier }

  /// Creates a region with an empty identifier, for subclasses that stand in for regions in tests.
  public override init() { name = "" }

  /// Whether entering the region is reported; true by default.
  open var notifyOnEntry: Bool {
    get { flags.withLock { $0.onEntry } }
    set { flags.withLock { $0.onEntry = newValue } }
  }

  /// Whether leaving the region is reported; true by default.
  open var notifyOnExit: Bool {
    get { flags.withLock { $0.onExit } }
    set { flags.withLock { $0.onExit = newValue } }
  }

  /// Returns a copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let other = CLRegion(identifier: identifier)
    copyFlags(to: other)
    return other
  }

  func copyFlags(to other: CLRegion) {
    other.notifyOnEntry = notifyOnEntry
    other.notifyOnExit = notifyOnExit
  }

  /// Whether both regions have the same identifier; a beacon region never equals one of another kind.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion, !(other is CLBeaconRegion) else { return false }
    return other.identifier == identifier
  }

  /// A hash value consistent with `isEqual(_:)`.
  open override var hash: Int { identifier.hashValue }

  /// A summary for logs.
  open override var description: String { "CLRegion(\(identifier))" }

  // MARK: NSSecureCoding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived region; `nil` if the archive is invalid.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
    name = String(text)
    super.init()
    notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
  }

  /// Encodes the region.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }
}
