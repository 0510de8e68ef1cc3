import Foundation
import NearbyConcurrency
import Synchronization

/// Safe decoding for unarchivers that an app creates itself from untrusted data.
///
/// The compiler prefers each of these methods to Foundation's, because they are declared for unarchivers
/// rather than all coders, and for classes with secure coding or a non-optional list of classes. If an object
/// cannot be read, they return `nil`, or throw if declared so, and set `error`. They require secure coding
/// whatever `requiresSecureCoding` says, because on Apple's systems it is on by default. An unarchiver with a
/// delegate is left to Foundation, because the app may depend on the delegate's calls.
extension NSKeyedUnarchiver {
  /// Decodes an object of a class.
  public func decodeObject<DecodedObjectType>(
    of cls: DecodedObjectType.Type, forKey key: String
  ) -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    decodeObject(of: [cls] as [AnyClass], forKey: key) as? DecodedObjectType
  }

  /// Decodes an object of one of several classes.
  public func decodeObject(of classes: [AnyClass], forKey key: String) -> Any? {
    do {
      return try safeObject(of: classes, forKey: key)
    } catch {
      poison()
      return nil
    }
  }

  /// Decodes an object of a class.
  /// - Throws: `CocoaError.coderReadCorrupt`, as `unarchivedObject(ofClass:from:)`.
  public func decodeTopLevelObject<DecodedObjectType>(
    of cls: DecodedObjectType.Type, forKey key: String
  ) throws -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    try decodeTopLevelObject(of: [cls] as [AnyClass], forKey: key) as? DecodedObjectType
  }

  /// Decodes an object of one of several classes.
  /// - Throws: `CocoaError.coderReadCorrupt`, as `unarchivedObject(ofClass:from:)`.
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

  /// Puts the unarchiver into the failed state, so that it decodes nothing more and reports an error. Has no
  /// effect if the app asked for exceptions and has already started decoding, because the policy can no
  /// longer be changed then.
  private func poison() {
    guard error == nil else { return }
    if decodingFailurePolicy == .raiseException {
      guard !UnarchiverInside(self).hasBegun else { return }
      decodingFailurePolicy = .setErrorAndReturn
    }
    // Foundation sets `error` only for failures of its own, so provoke one with a missing key.
    let coder: NSCoder = self
    _ = coder.decodeObject(of: [NSNull.self], forKey: "swift-nearby.nothing")
  }
}

/// The private state of a Foundation unarchiver, found by reflection, because no public API tells which data
/// it reads, whether decoding has started, or whether an object is being decoded. If the private names
/// change, the methods above fall back to Foundation's, and `UnarchiverLayoutTests` fails.
struct UnarchiverInside {
  /// The data being decoded; `nil` if the unarchiver reads from a stream or its private names have changed.
  var data: Data?
  /// Whether decoding has started, after which the failure policy is fixed.
  var hasBegun = true
  /// Whether keys refer to the top level rather than to an object being decoded.
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

/// Caches the decoder of the unarchiver used last, so that an archive with many keys is parsed only once.
private final class UnarchiverReaders: Sendable {
  private struct Last {
    weak var unarchiver: NSKeyedUnarchiver?
    var reader: ArchiveDecoder
  }

  static let shared = UnarchiverReaders()
  /// Unchecked because a decoder stays on its unarchiver's thread, and Foundation allows only one thread at a
  /// time.
  private let last = Mutex(UncheckedSendable<Last?>(nil))

  /// The decoder for an unarchiver; `nil` if its data cannot be found, or while it is decoding an object.
  /// - Throws: `CocoaError.coderReadCorrupt` if the data is not an archive.
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
