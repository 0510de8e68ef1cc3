/// Writes messages of a subsystem and category.
public struct Logger: Sendable {
  private let log: OSLog

  /// Of the process.
  public init() { log = .default }
  /// Of a subsystem and category.
  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
  /// Of a log.
  public init(_ logObj: OSLog) { log = logObj }

  /// As usual.
  public func log(_ message: OSLogMessage) { write(.default, message) }
  /// Of a level.
  public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
  /// In detail.
  public func trace(_ message: OSLogMessage) { write(.debug, message) }
  /// While debugging.
  public func debug(_ message: OSLogMessage) { write(.debug, message) }
  /// Helpful, but not essential.
  public func info(_ message: OSLogMessage) { write(.info, message) }
  /// As usual.
  public func notice(_ message: OSLogMessage) { write(.default, message) }
  /// Something is not as it should be.
  public func warning(_ message: OSLogMessage) { write(.error, message) }
  /// Something went wrong.
  public func error(_ message: OSLogMessage) { write(.error, message) }
  /// Something went badly wrong.
  public func critical(_ message: OSLogMessage) { write(.fault, message) }
  /// A mistake in the program.
  public func fault(_ message: OSLogMessage) { write(.fault, message) }

  private func write(_ type: OSLogType, _ message: OSLogMessage) {
    guard log.isEnabled(type: type) else { return }
    LogOutput.shared.write(type, log, message.text)
  }
}

/// Who may see a value in a message.
public struct OSLogPrivacy: Sendable {
  /// What stands in a hidden value's place.
  public enum Mask: Sendable {
    /// A number that is the same for the same value, within one run.
    case hash
    /// Nothing of it.
    case none
  }

  enum Rule: Sendable {
    case open
    case hidden
    case byType
  }
  let rule: Rule
  let mask: Mask

  /// Everybody.
  public static var `public`: OSLogPrivacy { OSLogPrivacy(rule: .open, mask: .none) }
  /// Nobody.
  public static var `private`: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
  /// Nobody.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
  /// Numbers are shown, everything else is hidden.
  public static var auto: OSLogPrivacy { OSLogPrivacy(rule: .byType, mask: .none) }
  /// Nobody, but whether two are the same shows.
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
  /// Nobody, but whether two are the same shows.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
  /// As by type, but whether two hidden ones are the same shows.
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

/// How a real number is written.
public struct OSLogFloatFormatting: Sendable {
  let digits: Int?
  /// With so many digits behind the point, six where nothing is said.
  public static func fixed(precision: Int = 6) -> OSLogFloatFormatting { Self(digits: precision) }
  /// With so many digits behind the point.
  public static var fixed: OSLogFloatFormatting { Self(digits: 6) }
  /// As it is.
  public static var hybrid: OSLogFloatFormatting { Self(digits: nil) }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  /// With ten digits.
  public static var decimal: OSLogIntegerFormatting { Self(radix: 10) }
  /// With sixteen.
  public static var hex: OSLogIntegerFormatting { Self(radix: 16) }
  /// With eight.
  public static var octal: OSLogIntegerFormatting { Self(radix: 8) }
}

/// How wide a value is written.
public struct OSLogStringAlignment: Sendable {
  let columns: Int
  let isRight: Bool
  /// As it is.
  public static var none: OSLogStringAlignment { Self(columns: 0, isRight: false) }
  /// With blanks before it.
  public static func right(columns: Int) -> OSLogStringAlignment { Self(columns: columns, isRight: true) }
  /// With blanks behind it.
  public static func left(columns: Int) -> OSLogStringAlignment { Self(columns: columns, isRight: false) }

  func aligned(_ text: String) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - text.count))
    return isRight ? blanks + text : text + blanks
  }
}

/// A message with values in place, of which those that are private do not show.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  let text: String
  /// A message without values.
  public init(stringLiteral value: String) { text = value }
  /// A message with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Puts a message together.
public struct OSLogInterpolation: StringInterpolationProtocol {
  var text = ""
  /// Begins.
  public init(literalCapacity: Int, interpolationCount: Int) {}
  /// What is always shown.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Text.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += align.aligned(privacy.shown(value(), isNumber: false)) }

  /// A whole number.
  public mutating func appendInterpolation<T: BinaryInteger>(
    _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += align.aligned(privacy.shown(String(number(), radix: format.radix), isNumber: true)) }

  /// A real number.
  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { append(Double(number()), format, align, privacy) }
  /// A real number.
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

  /// Yes or no.
  public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
    text += privacy.shown("\(value())", isNumber: true)
  }

  /// Anything with a description.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += align.aligned(privacy.shown(value().description, isNumber: false)) }

  /// An object.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> NSObject, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value().description, isNumber: false) }

  /// An object, if there is one.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value()?.description ?? "nil", isNumber: false) }

  /// An error.
  public mutating func appendInterpolation(
    _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown("\(error())", isNumber: false) }

  /// A type.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown("\(value())", isNumber: true) }
}
