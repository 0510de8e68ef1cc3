/// Where in a file a field is, for messages.
struct FieldPlace {
  var file: String
  /// From 1.
  var line: Int
  var column: String

  /// The value, if it is within bounds.
  func check(_ value: Double, in bounds: ClosedRange<Double>) throws(RecordingError) -> Double {
    guard bounds.contains(value) else {
      throw .outOfRange(
        file: file, line: line, column: column, found: value, lowest: bounds.lowerBound,
        highest: bounds.upperBound)
    }
    return value
  }
}

extension DecimalNumber {
  /// A finite decimal number, blanks around it allowed.
  static func finite(
    _ bytes: [UInt8], from start: Int, to end: Int, at place: @autoclosure () -> FieldPlace
  ) throws(RecordingError) -> Double {
    if let value = parse(bytes, from: start, to: end) { return value }
    var content = bytes[start..<end]
    let found = String(decoding: content.prefix(40), as: UTF8.self)
    while content.first == 0x20 { content.removeFirst() }
    while content.last == 0x20 { content.removeLast() }
    let (place, isDecimal) = (place(), !content.contains { $0 == 0 || $0 | 0x20 == UInt8(ascii: "x") })
    // Swift reads hexadecimal too, and stops at an octet 0; a recording's numbers are decimal.
    guard isDecimal, let value = Double(String(decoding: content, as: UTF8.self)) else {
      throw .notANumber(file: place.file, line: place.line, column: place.column, found: found)
    }
    guard value.isFinite else {
      throw .notFinite(file: place.file, line: place.line, column: place.column, found: found)
    }
    return value
  }
}

extension Recording {
  /// Times that fit nanoseconds in 64 bits, seconds; epoch times among them.
  static let timeBounds = -9e9...9e9
  /// Metres; beyond is a damaged number, and no sum of squares of it can be trusted.
  static let rangeBounds = -1e9...1e9
  static let placeBounds = -1e9...1e9
  /// How far a quaternion's length may be from 1: what three written decimals lose, five times over.
  package static let quaternionTolerance = 0.01

  /// A quaternion of length 1, if the one read is but for rounding.
  ///
  /// One that is exact to a billionth is left as it is, so that what was written reads the same.
  static func unit(_ q: SIMD4<Double>, at place: FieldPlace) throws(RecordingError) -> SIMD4<Double> {
    let length = (q * q).sum().squareRoot()
    guard (length - 1).magnitude <= quaternionTolerance else {
      throw .notUnit(file: place.file, line: place.line, column: place.column, found: length)
    }
    return (length - 1).magnitude < 1e-9 ? q : q / length
  }
}
