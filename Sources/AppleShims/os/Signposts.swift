import Foundation

/// Tells spans of one name apart.
public struct OSSignpostID: Sendable, Hashable, Comparable {
  /// The number.
  public let rawValue: UInt64
  /// Where there is one span of a name at a time.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// None.
  public static let null = OSSignpostID(0)
  /// None.
  public static let invalid = OSSignpostID(UInt64.max)

  /// Of a number.
  public init(_ value: UInt64) { rawValue = value }
  /// One of a log.
  public init(log: OSLog) { self.init(UInt64.random(in: 1...UInt64.max - 1)) }
  /// The one of an object: the same for it each time.
  public init(log: OSLog, object: AnyObject) {
    self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object).hashValue)))
  }

  /// By number.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a signpost marks.
public struct OSSignpostType: Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8
  /// Of Apple's number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  /// A moment.
  public static let event = OSSignpostType(0)
  /// Where a span begins.
  public static let begin = OSSignpostType(1)
  /// Where a span ends.
  public static let end = OSSignpostType(2)
}

/// Marks a moment, or an end of a span. There is no tool that shows it: nothing is written.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {}

/// Marks a moment, or an end of a span, with values. There is no tool that shows it: nothing is written.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {}

/// Marks a moment, or an end of a span, with objects. There is no tool that shows it: nothing is written.
@_disfavoredOverload
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {}
