/// Writes log messages of a subsystem and category.
public struct Logger: Sendable {
  private let log: OSLog

  /// Creates a logger for the process's default log.
  public init() { log = .default }
  /// Creates a logger for a subsystem and category.
  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
  /// Creates a logger for a log.
  public init(_ logObj: OSLog) { log = logObj }

  /// Writes a message at the default level.
  public func log(_ message: OSLogMessage) { write(.default, message) }
  /// Writes a message at a given level.
  public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
  /// Writes a message at the debug level.
  public func trace(_ message: OSLogMessage) { write(.debug, message) }
  /// Writes a message at the debug level.
  public func debug(_ message: OSLogMessage) { write(.debug, message) }
  /// Writes a message at the info level.
  public func info(_ message: OSLogMessage) { write(.info, message) }
  /// Writes a message at the default level.
  public func notice(_ message: OSLogMessage) { write(.default, message) }
  /// Writes a message at the error level.
  public func warning(_ message: OSLogMessage) { write(.error, message) }
  /// Writes a message at the error level.
  public func error(_ message: OSLogMessage) { write(.error, message) }
  /// Writes a message at the fault level.
  public func critical(_ message: OSLogMessage) { write(.fault, message) }
  /// Writes a message at the fault level.
  public func fault(_ message: OSLogMessage) { write(.fault, message) }

  private func write(_ type: OSLogType, _ message: OSLogMessage) {
    guard log.isEnabled(type: type) else { return }
    LogOutput.shared.write(type, log, message.text)
  }
}

/// Whether a value is visible in a message.
public struct OSLogPrivacy: Sendable {
  /// What replaces a hidden value.
  public enum Mask: Sendable {
    /// A hash that is the same for equal values within one run.
    case hash
    /// A fixed placeholder.
    case none
  }

  enum Rule: Sendable {
    case open
    case hidden
    case byType
  }
  let rule: Rule
  let mask: Mask

  /// Always visible.
  public static var `public`: OSLogPrivacy { OSLogPrivacy(rule: .open, mask: .none) }
  /// Hidden.
  public static var `private`: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
  /// Hidden.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
  /// Numbers are visible, everything else is hidden.
  public static var auto: OSLogPrivacy { OSLogPrivacy(rule: .byType, mask: .none) }
  /// Hidden, with a mask.
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
  /// Hidden, with a mask.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
  /// As `auto`, with a mask for hidden values.
  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .byType, mask: mask) }

  func shown(_ text: String, isNumber: Bool) -> String {
    switch rule {
    case .open: return text
    case .byType where isNumber || LogOutput.shared.showsPrivate: return text
    case .hidden where LogOutput.shared.showsPrivate: return text
    case .hidden, .byType: break
    }
    switch mask {
    case .none: return "<private>"
    case .hash: return "<mask.hash: '\(String(UInt(bitPattern: text.hashValue), radix: 16))'>"
    }
  }
}

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
  let digits: Int?
  /// Fixed-point with `precision` digits after the decimal point.
  public static func fixed(precision: Int = 6) -> OSLogFloatFormatting { Self(digits: precision) }
  /// Fixed-point with six digits after the decimal point.
  public static var fixed: OSLogFloatFormatting { Self(digits: 6) }
  /// Swift's shortest description.
  public static var hybrid: OSLogFloatFormatting { Self(digits: nil) }
}

/// The format of an integer.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  /// Base 10.
  public static var decimal: OSLogIntegerFormatting { Self(radix: 10) }
  /// Base 16.
  public static var hex: OSLogIntegerFormatting { Self(radix: 16) }
  /// Base 8.
  public static var octal: OSLogIntegerFormatting { Self(radix: 8) }
}

/// The alignment of a value.
public struct OSLogStringAlignment: Sendable {
  let columns: Int
  let isRight: Bool
  /// No padding.
  public static var none: OSLogStringAlignment { Self(columns: 0, isRight: false) }
  /// Pads with leading spaces.
  public static func right(columns: Int) -> OSLogStringAlignment { Self(columns: columns, isRight: true) }
  /// Pads with trailing spaces.
  public static func left(columns: Int) -> OSLogStringAlignment { Self(columns: columns, isRight: false) }

  func aligned(_ text: String) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - text.count))
    return isRight ? blanks + text : text + blanks
  }
}

/// A log message whose private values are hidden.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  let text: String
  /// Creates a message without interpolated values.
  public init(stringLiteral value: String) { text = value }
  /// Creates a message with interpolated values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Builds a message from literals and interpolated values.
public struct OSLogInterpolation: StringInterpolationProtocol {
  var text = ""
  /// Starts an empty message.
  public init(literalCapacity: Int, interpolationCount: Int) {}
  /// Appends literal text, which is always visible.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Appends a string.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += align.aligned(privacy.shown(value(), isNumber: false)) }

  /// Appends an integer.
  public mutating func appendInterpolation<T: BinaryInteger>(
    _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += align.aligned(privacy.shown(String(number(), radix: format.radix), isNumber: true)) }

  /// Appends a floating-point number.
  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { append(Double(number()), format, align, privacy) }
  /// Appends a floating-point number.
  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { append(number(), format, align, privacy) }

  private mutating func append(
    _ number: Double, _ format: OSLogFloatFormatting, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy
  ) {
    let written = format.digits.map { String(format: "%.\($0)f", number) } ?? "\(number)"
    text += align.aligned(privacy.shown(written, isNumber: true))
  }

  /// Appends a Boolean, which counts as a number.
  public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
    text += privacy.shown("\(value())", isNumber: true)
  }

  /// Appends a value's description.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += align.aligned(privacy.shown(value().description, isNumber: false)) }

  /// Appends an object's description.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> NSObject, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value().description, isNumber: false) }

  /// Appends an optional object's description.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value()?.description ?? "nil", isNumber: false) }

  /// Appends an error.
  public mutating func appendInterpolation(
    _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown("\(error())", isNumber: false) }

  /// Appends the name of a type, which counts as a number.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown("\(value())", isNumber: true) }
}
