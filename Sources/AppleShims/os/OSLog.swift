import Foundation
@_exported import NearbyFoundation

/// Where messages of a subsystem and category go.
public final class OSLog: NSObject, Sendable {
  /// Whose messages, by convention in the form of a bundle identifier.
  let subsystem: String
  /// What about.
  let category: String
  let isOn: Bool

  /// Makes a log.
  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    isOn = true
    super.init()
  }

  /// Makes a log of one of the categories with a meaning.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private init(isOn: Bool) {
    subsystem = ""
    category = ""
    self.isOn = isOn
    super.init()
  }

  /// The process's own.
  public static let `default` = OSLog(isOn: true)
  /// Says nothing.
  public static let disabled = OSLog(isOn: false)

  /// Categories with a meaning.
  public struct Category: Sendable {
    let rawValue: String
    /// For events to be shown on a line of time.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// For what only a tracing tool wants.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    /// For what only a tracing tool wants, with stacks.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }

  /// Whether messages of a type are written.
  public func isEnabled(type: OSLogType) -> Bool { isOn && LogOutput.shared.isEnabled(type) }
  /// Whether signposts are written: they are not.
  public var signpostsEnabled: Bool { false }
}

/// How much a message matters.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8
  /// Of Apple's number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Of Apple's number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  /// As usual.
  public static let `default` = OSLogType(0)
  /// Helpful, but not essential.
  public static let info = OSLogType(1)
  /// While debugging; written where `NEARBY_LOG=debug` is set.
  public static let debug = OSLogType(2)
  /// Something went wrong.
  public static let error = OSLogType(16)
  /// A mistake in the program.
  public static let fault = OSLogType(17)
}

/// Writes a message with values in the manner of C.
///
/// `%{public}@`, `%{private}d` and their like are understood; what has no mark is shown if it is a number and
/// hidden if it is text, as on Apple's systems.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: any CVarArg...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with values in the manner of C.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: any CVarArg...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with values in the manner of C, objects among them.
@_disfavoredOverload
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: Any...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with values in the manner of C, objects among them.
@_disfavoredOverload
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: Any...
) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, LogFormat.text("\(message)", arguments))
}

/// Writes a message with values in place.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  guard log.isEnabled(type: type) else { return }
  LogOutput.shared.write(type, log, message.text)
}
