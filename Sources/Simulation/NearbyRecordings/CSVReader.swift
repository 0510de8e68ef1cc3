/// Reads a comma-separated file row by row without allocating per row.
///
/// Fields may be quoted as in RFC 4180; lines end in LF or CR LF; a byte-order mark and blank lines are
/// skipped. Every row must have as many fields as the header.
struct CSVReader {
  let file: String
  let header: [String]
  /// Line of the current row, from 1.
  private(set) var line = 1

  private struct Field {
    var start: Int
    var end: Int
    /// Whether the field contains doubled quotes.
    var hasEscapes: Bool
  }
  private let bytes: [UInt8]
  private var position: Int
  private var nextLine: Int
  private var fields: [Field] = []

  init(file: String, bytes: [UInt8]) throws(RecordingError) {
    self.file = file
    self.bytes = bytes
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    position = hasMark ? 3 : 0
    nextLine = 1
    var names: [String] = []
    var known: Set<String> = []
    var scanner = CSVReader(file: file, bytes: bytes, position: hasMark ? 3 : 0)
    guard try scanner.scanRow() else { throw .empty(file: file) }
    for index in scanner.fields.indices {
      let name = try scanner.text(index)
      guard known.insert(name).inserted else {
        throw .duplicateColumn(file: file, column: String(name.prefix(40)))
      }
      names.append(name)
    }
    header = names
    position = scanner.position
    nextLine = scanner.nextLine
    fields = scanner.fields
  }

  /// Continues a file with its next whole lines.
  init(continuing previous: CSVReader, bytes: [UInt8]) {
    file = previous.file
    header = previous.header
    self.bytes = bytes
    position = 0
    line = previous.line
    nextLine = previous.nextLine
  }

  private init(file: String, bytes: [UInt8], position: Int) {
    self.file = file
    self.bytes = bytes
    self.header = []
    self.position = position
    nextLine = 1
  }

  /// Index of a column, or `nil` if the header lacks it.
  func column(_ name: String) -> Int? { header.firstIndex(of: name) }

  func requiredColumn(_ name: String) throws(RecordingError) -> Int {
    if let index = column(name) { return index }
    let found = header.prefix(20).map { String($0.prefix(40)) }
    throw .missingColumn(file: file, column: name, found: found)
  }

  /// Advances to the next row; returns `false` at the end of the file.
  mutating func next() throws(RecordingError) -> Bool {
    guard try scanRow() else { return false }
    guard fields.count == header.count else {
      throw .fieldCount(file: file, line: line, found: fields.count, expected: header.count)
    }
    return true
  }

  func text(_ index: Int) throws(RecordingError) -> String {
    let field = fields[index]
    var content = bytes[field.start..<field.end]
    if field.hasEscapes { content = Self.unescaped(content) }
    guard content.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      let text = String(validating: content, as: UTF8.self)
    else { throw .notText(file: file, line: line) }
    return text
  }

  /// Whether a field is empty or contains only spaces.
  func isBlank(_ index: Int) -> Bool {
    bytes[fields[index].start..<fields[index].end].allSatisfy { $0 == 0x20 }
  }

  /// A field as a finite number.
  func number(_ index: Int) throws(RecordingError) -> Double {
    let field = fields[index]
    return try DecimalNumber.finite(bytes, from: field.start, to: field.end, at: place(index))
  }

  /// A field as a finite number, or `nil` if it is blank, `nan` or infinite.
  func numberIfKnown(_ index: Int) throws(RecordingError) -> Double? {
    guard !isBlank(index) else { return nil }
    let field = fields[index]
    let value = try DecimalNumber.any(bytes, from: field.start, to: field.end, at: place(index))
    return value.isFinite ? value : nil
  }

  /// Location of a field in the current row, for messages.
  func place(_ index: Int) -> FieldPlace { FieldPlace(file: file, line: line, column: header[index]) }

  /// A field as a finite number within bounds.
  func number(_ index: Int, in bounds: ClosedRange<Double>) throws(RecordingError) -> Double {
    try place(index).check(try number(index), in: bounds)
  }

  /// A field as non-empty text.
  func name(_ index: Int) throws(RecordingError) -> String {
    let text = try text(index)
    if text.isEmpty { throw .emptyName(file: file, line: line, column: header[index]) }
    return text
  }

  /// Scans the next non-blank line into `fields`; returns `false` at the end of the file.
  private mutating func scanRow() throws(RecordingError) -> Bool {
    while position < bytes.count {
      line = nextLine
      fields.removeAll(keepingCapacity: true)
      try scanLine()
      nextLine += 1
      let isBlankLine = fields.count == 1 && isBlank(0)
      if !isBlankLine { return true }
    }
    return false
  }

  /// Scans the fields of a line, including its line feed.
  private mutating func scanLine() throws(RecordingError) {
    while true {
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        try scanQuoted()
      } else {
        scanPlain()
      }
      guard position < bytes.count else { return }
      let separator = bytes[position]
      position += 1
      if separator == UInt8(ascii: "\n") { return }
    }
  }

  /// Scans an unquoted field; stops at the comma or line feed after it.
  private mutating func scanPlain() {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") { break }
      position += 1
    }
    var end = position
    let endsLine = position == bytes.count || bytes[position] == UInt8(ascii: "\n")
    if endsLine, end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    fields.append(Field(start: start, end: end, hasEscapes: false))
  }

  /// Scans a quoted field; stops at the comma or line feed after it.
  private mutating func scanQuoted() throws(RecordingError) {
    let quote = UInt8(ascii: "\"")
    let start = position + 1
    position = start
    var hasEscapes = false
    while true {
      guard position < bytes.count else { throw .unclosedQuote(file: file, line: line) }
      if bytes[position] == UInt8(ascii: "\n") { nextLine += 1 }
      guard bytes[position] == quote else {
        position += 1
        continue
      }
      guard position + 1 < bytes.count, bytes[position + 1] == quote else { break }
      hasEscapes = true
      position += 2
    }
    fields.append(Field(start: start, end: position, hasEscapes: hasEscapes))
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    guard position < bytes.count else { return }
    let behind = bytes[position]
    guard behind == UInt8(ascii: ",") || behind == UInt8(ascii: "\n") else {
      throw .unclosedQuote(file: file, line: line)
    }
  }

  private static func unescaped(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result: [UInt8] = []
    var skips = false
    for byte in content {
      if byte == UInt8(ascii: "\""), !skips {
        skips = true
        continue
      }
      skips = false
      result.append(byte)
    }
    return result[...]
  }
}
