import Foundation
import Synchronization

/// A region that can be watched, by the name the app gives it. Equal by value, but for what is notified of.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // What changes is behind the lock.
  private struct Flags: Sendable {
    var onEntry = true
    var onExit = true
  }

  private let flags = Mutex(Flags())

  /// The region's name: one of the same name replaces it.
  public let identifier: String

  init(identifier: String) { self.identifier = identifier }

  /// Whether entering is told; true at first.
  open var notifyOnEntry: Bool {
    get { flags.withLock { $0.onEntry } }
    set { flags.withLock { $0.onEntry = newValue } }
  }

  /// Whether leaving is told; true at first.
  open var notifyOnExit: Bool {
    get { flags.withLock { $0.onExit } }
    set { flags.withLock { $0.onExit = newValue } }
  }

  /// Makes another like this.
  open func copy(with zone: NSZone? = nil) -> Any {
    let other = CLRegion(identifier: identifier)
    copyFlags(to: other)
    return other
  }

  func copyFlags(to other: CLRegion) {
    other.notifyOnEntry = notifyOnEntry
    other.notifyOnExit = notifyOnExit
  }

  /// Whether both have the same name and are of the same kind.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion, !(other is CLBeaconRegion) else { return false }
    return other.identifier == identifier
  }

  /// Equal for equal regions.
  open override var hash: Int { identifier.hashValue }

  /// What it is, for a log.
  open override var description: String { "CLRegion(\(identifier))" }

  // MARK: NSSecureCoding

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Reads an archived region; `nil` where the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
    identifier = String(text)
    super.init()
    notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
  }

  /// Writes the region.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }
}
