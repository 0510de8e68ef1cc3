import Foundation

/// Distinguishes concurrent intervals of the same name.
public struct OSSignpostID: Sendable, Hashable, Comparable {
  /// The number.
  public let rawValue: UInt64
  /// For names with at most one interval at a time.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// No identifier.
  public static let null = OSSignpostID(0)
  /// An invalid identifier.
  public static let invalid = OSSignpostID(UInt64.max)

  /// Creates an identifier from a number.
  public init(_ value: UInt64) { rawValue = value }
  /// Creates a random identifier.
  public init(log: OSLog) { self.init(UInt64.random(in: 1...UInt64.max - 1)) }
  /// Creates the identifier of an object, the same on every call.
  public init(log: OSLog, object: AnyObject) {
    self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object).hashValue)))
  }

  /// Compares the numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The kind of a signpost.
public struct OSSignpostType: Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8
  /// Creates a kind from Apple's number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  /// A point in time.
  public static let event = OSSignpostType(0)
  /// The start of an interval.
  public static let begin = OSSignpostType(1)
  /// The end of an interval.
  public static let end = OSSignpostType(2)
}

/// Marks a point in time or one end of an interval. Nothing is recorded here.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {}

/// Marks a point in time or one end of an interval, with values. Nothing is recorded here.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {}

/// Marks a point in time or one end of an interval, with objects. Nothing is recorded here.
@_disfavoredOverload
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {}
