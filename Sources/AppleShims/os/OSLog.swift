import Foundation
@_exported import NearbyFoundation

/// A log for the messages of a subsystem and category.
public final class OSLog: NSObject, Sendable {
  /// The part of the app, by convention in the form of a bundle identifier.
  let subsystem: String
  /// The topic.
  let category: String
  let isOn: Bool

  /// Creates a log.
  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    isOn = true
    super.init()
  }

  /// Creates a log with a predefined category.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private init(isOn: Bool) {
    subsystem = ""
    category = ""
    self.isOn = isOn
    super.init()
  }

  /// The process's default log.
  public static let `default` = OSLog(isOn: true)
  /// A log that writes nothing.
  public static let disabled = OSLog(isOn: false)

  /// Predefined categories.
  public struct Category: Sendable {
    let rawValue: String
    /// Events for a tracing tool's timeline.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// Messages for tracing tools only.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    /// Messages for tracing tools only, with stack traces.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }

  /// Whether messages of a type are written.
  public func isEnabled(type: OSLogType) -> Bool { isOn && LogOutput.shared.isEnabled(type) }
  /// Always false: signposts are not recorded here.
  public var signpostsEnabled: Bool { false }
}

/// The severity of a message.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8
  /// Creates a type from Apple's number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Creates a type from Apple's number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  /// The default level.
  public static let `default` = OSLogType(0)
  /// Helpful but not essential information.
  public static let info = OSLogType(1)
  /// Debugging information; written only with `NEARBY_LOG=debug`.
  public static let debug = OSLogType(2)
  /// An error.
  public static let error = OSLogType(16)
  /// A programming error.
  public static let fault = OSLogType(17)
}

/// Writes a message with printf-style values.
///
/// Privacy annotations such as `%{public}@` and `%{private}d` are supported. As on Apple's systems, values
/// without one are visible if they are numbers and hidden if they are text.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: any CVarArg...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with printf-style values.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: any CVarArg...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with printf-style values, including objects.
@_disfavoredOverload
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: Any...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with printf-style values, including objects.
@_disfavoredOverload
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: Any...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with interpolated values.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, message.text)
}
