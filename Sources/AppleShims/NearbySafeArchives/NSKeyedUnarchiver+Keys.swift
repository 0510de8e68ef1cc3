import Foundation
import NearbyConcurrency
import Synchronization

/// The calls of an unarchiver that an app made itself, on octets that anybody may have made.
///
/// Each is preferred to Foundation's of the same name: it is for unarchivers and not for all coders, and for classes
/// with secure coding or for a list of classes that is not optional. What cannot be read is `nil`, or thrown where the
/// call throws, and `error` is set, whatever `requiresSecureCoding` says: on Apple's systems it is on from the start. An unarchiver with a delegate is left to Foundation, whose calls of the delegate an app may need.
extension NSKeyedUnarchiver {
  /// Reads an object of a class.
  public func decodeObject<DecodedObjectType>(
    of cls: DecodedObjectType.Type, forKey key: String
  ) -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    decodeObject(of: [cls] as [AnyClass], forKey: key) as? DecodedObjectType
  }

  /// Reads an object of one of several classes.
  public func decodeObject(of classes: [AnyClass], forKey key: String) -> Any? {
    do {
      return try safeObject(of: classes, forKey: key)
    } catch {
      poison()
      return nil
    }
  }

  /// Reads an object of a class.
  /// - Throws: `CocoaError.coderReadCorrupt` as `unarchivedObject(ofClass:from:)`.
  public func decodeTopLevelObject<DecodedObjectType>(
    of cls: DecodedObjectType.Type, forKey key: String
  ) throws -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    try decodeTopLevelObject(of: [cls] as [AnyClass], forKey: key) as? DecodedObjectType
  }

  /// Reads an object of one of several classes.
  /// - Throws: `CocoaError.coderReadCorrupt` as `unarchivedObject(ofClass:from:)`.
  public func decodeTopLevelObject(of classes: [AnyClass], forKey key: String) throws -> Any? {
    do {
      return try safeObject(of: classes, forKey: key)
    } catch {
      poison()
      throw error
    }
  }

  private func safeObject(of classes: [AnyClass], forKey key: String) throws -> Any? {
    if let error { throw error }
    guard delegate == nil, let reader = try UnarchiverReaders.shared.reader(of: self) else {
      let coder: NSCoder = self
      return coder.decodeObject(of: classes, forKey: key)
    }
    return try reader.object(atTop: key, among: classes)
  }

  /// Has the unarchiver give nothing more, and say that there was an error; unless the app wants the process stopped by
  /// one and has begun to read, when nothing of that can be changed.
  private func poison() {
    guard error == nil else { return }
    if decodingFailurePolicy == .raiseException {
      guard !UnarchiverInside(self).hasBegun else { return }
      decodingFailurePolicy = .setErrorAndReturn
    }
    // Foundation keeps an error of its own only: that of a key that is not there.
    let coder: NSCoder = self
    _ = coder.decodeObject(of: [NSNull.self], forKey: "swift-nearby.nothing")
  }
}

/// What an unarchiver of Foundation's has inside, found by the names of its private properties: no public call tells
/// which octets it reads, whether it has begun, or whether an object is being made. Where the names have changed, the
/// calls above are Foundation's own again. `UnarchiverLayoutTests` fails then.
struct UnarchiverInside {
  /// `nil` where it reads from a stream, or has become another.
  var data: Data?
  /// Whether something was read, since when the policy for failures is fixed.
  var hasBegun = true
  /// Whether no object is being made, whose own keys would be meant.
  var isAtTop = false

  init(_ unarchiver: NSKeyedUnarchiver) {
    for child in Mirror(reflecting: unarchiver).children {
      let inside = Mirror(reflecting: child.value).children
      if child.label == "_stream" { data = inside.first { $0.label == "data" }?.value as? Data }
      if child.label == "_containers", let containers = inside.first?.value {
        isAtTop = Mirror(reflecting: containers).children.count == 1
      }
      if child.label == "_flags", let flags = inside.first?.value as? UInt { hasBegun = flags & 4 != 0 }
    }
  }
}

/// The decoder of the unarchiver that was last asked, so that an archive of many keys is read once.
private final class UnarchiverReaders: Sendable {
  private struct Last {
    weak var unarchiver: NSKeyedUnarchiver?
    var reader: ArchiveDecoder
  }

  static let shared = UnarchiverReaders()
  /// Decoders never leave the thread of their unarchiver, which is one thread's at a time by Foundation's rules.
  private let last = Mutex(UncheckedSendable<Last?>(nil))

  /// `nil` for an unarchiver whose octets are not to be found, or which is in the middle of an object.
  /// - Throws: `CocoaError.coderReadCorrupt` for octets that are no archive.
  func reader(of unarchiver: NSKeyedUnarchiver) throws -> ArchiveDecoder? {
    let inside = UnarchiverInside(unarchiver)
    guard inside.isAtTop, let data = inside.data else { return nil }
    if let last = last.withLock({ $0 }).value, last.unarchiver === unarchiver { return last.reader }
    let reader = try ArchiveDecoder(data) { [weak unarchiver] name in unarchiver?.class(forClassName: name) }
    let new = UncheckedSendable<Last?>(Last(unarchiver: unarchiver, reader: reader))
    last.withLock { $0 = new }
    return reader
  }
}
