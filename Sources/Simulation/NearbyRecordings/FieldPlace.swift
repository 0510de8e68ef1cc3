/// Location of a field in a file, for error messages.
struct FieldPlace {
  var file: String
  /// From 1.
  var line: Int
  var column: String

  /// Returns `value`, or throws if it is out of bounds.
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
  /// Parses a decimal number, optionally surrounded by spaces; `nan` and `inf` are numbers here.
  static func any(
    _ bytes: [UInt8], from start: Int, to end: Int, at place: @autoclosure () -> FieldPlace
  ) throws(RecordingError) -> Double {
    if let value = parse(bytes, from: start, to: end) { return value }
    var content = bytes[start..<end]
    let found = String(decoding: content.prefix(40), as: UTF8.self)
    while content.first == 0x20 { content.removeFirst() }
    while content.last == 0x20 { content.removeLast() }
    let (place, isDecimal) = (place(), !content.contains { $0 == 0 || $0 | 0x20 == UInt8(ascii: "x") })
    // Swift also accepts hexadecimal and stops at a NUL; a recording's numbers are decimal.
    guard isDecimal, let value = Double(String(decoding: content, as: UTF8.self)) else {
      throw .notANumber(file: place.file, line: place.line, column: place.column, found: found)
    }
    return value
  }

  /// Parses a finite decimal number, optionally surrounded by spaces.
  static func finite(
    _ bytes: [UInt8], from start: Int, to end: Int, at place: @autoclosure () -> FieldPlace
  ) throws(RecordingError) -> Double {
    let value = try any(bytes, from: start, to: end, at: place())
    guard value.isFinite else {
      let (place, found) = (place(), String(decoding: bytes[start..<end].prefix(40), as: UTF8.self))
      throw .notFinite(file: place.file, line: place.line, column: place.column, found: found)
    }
    return value
  }
}

extension Recording {
  /// Times that fit 64 bits of nanoseconds, seconds; includes times since 1970.
  static let timeBounds = -9e9...9e9
  /// Metres. A larger number is corrupt, and its square would not be reliable.
  static let rangeBounds = -1e9...1e9
  static let placeBounds = -1e9...1e9
  /// Tolerance for a quaternion's length around 1: five times the error of three written decimals.
  package static let quaternionTolerance = 0.01

  /// Normalises a quaternion; throws unless its length is 1 within `quaternionTolerance`.
  ///
  /// A quaternion that is exact to 1e-9 is returned unchanged, so that written values read back identical.
  static func unit(_ q: SIMD4<Double>, at place: FieldPlace) throws(RecordingError) -> SIMD4<Double> {
    let length = (q * q).sum().squareRoot()
    guard (length - 1).magnitude <= quaternionTolerance else {
      throw .notUnit(file: place.file, line: place.line, column: place.column, found: length)
    }
    return (length - 1).magnitude < 1e-9 ? q : q / length
  }
}
