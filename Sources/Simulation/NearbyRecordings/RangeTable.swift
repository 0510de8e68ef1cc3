/// Collects the rows of `ranges.csv`. `Recording.init(folder:)` shows its columns.
struct RangeTable {
  private(set) var ranges: [RecordedRange] = []
  /// The line on which each antenna first appears.
  private(set) var firstLines: [String: Int] = [:]
  /// Count of values that are `nan` or infinite, in columns that estimators do not need.
  private(set) var notFinite = 0

  private struct Extra {
    var index: Int
    var column: RecordedColumn
  }
  private let time: Int
  private let tag: Int?
  private let object: Int
  private let range: Int
  private let trueRange: Int?
  private var extras: [Extra] = []
  private var latest = -Double.infinity

  init(header: CSVReader) throws(RecordingError) {
    time = try header.requiredColumn("t_s")
    tag = header.column("tag_id")
    object = try header.requiredColumn("object_id")
    range = try header.requiredColumn("range_m")
    trueRange = header.column("gt_range_m")
    let known = [time, tag, object, range, trueRange]
    for (index, name) in header.header.enumerated() where !known.contains(index) {
      let values: RecordedColumn.Values = Self.isNumeric(name) ? .numbers([]) : .text([])
      extras.append(Extra(index: index, column: RecordedColumn(name: name, values: values)))
    }
  }

  /// Whether a column holds numbers, which is the case if its name ends in a unit or is a receiver's figure.
  private static func isNumeric(_ name: String) -> Bool {
    if ReceiverColumns.names.contains(name) { return true }
    return ["_m", "_dbm", "_db", "_ppm", "_s", "_deg", "_rad", "_hz"].contains { name.hasSuffix($0) }
  }

  /// Parses one row. Throws if it is earlier than the previous one.
  mutating func append(_ row: CSVReader) throws(RecordingError) {
    let seconds = try row.number(time, in: Recording.timeBounds)
    var entry = RecordedRange(
      time: Recording.duration(seconds), tag: nil, object: try row.name(object),
      range: try row.number(range, in: Recording.rangeBounds))
    if let tag {
      let name = try row.name(tag)
      if firstLines[name] == nil { firstLines[name] = row.line }
      entry.tag = name
    }
    if let trueRange, let known = try optional(trueRange, row) {
      entry.trueRange = try row.place(trueRange).check(known, in: Recording.rangeBounds)
    }
    try checkOrder(seconds: seconds, row)
    for index in extras.indices { try appendExtra(index, row) }
    ranges.append(entry)
  }

  private mutating func checkOrder(seconds: Double, _ row: CSVReader) throws(RecordingError) {
    guard seconds >= latest else {
      throw .timeBackwards(file: row.file, line: row.line, column: "t_s", found: seconds, latest: latest)
    }
    latest = seconds
  }

  private mutating func appendExtra(_ index: Int, _ row: CSVReader) throws(RecordingError) {
    let field = extras[index].index
    switch extras[index].column.values {
    case .numbers(var numbers):
      extras[index].column.values = .text([])
      numbers.append(try optional(field, row) ?? .nan)
      extras[index].column.values = .numbers(numbers)
    case .text(var text):
      extras[index].column.values = .text([])
      text.append(try row.text(field))
      extras[index].column.values = .text(text)
    }
  }

  /// A number that may be missing. Radios write `-inf` for the logarithm of no power, and `nan` for no figure.
  private mutating func optional(_ field: Int, _ row: CSVReader) throws(RecordingError) -> Double? {
    let value = try row.numberIfKnown(field)
    if value == nil, !row.isBlank(field) { notFinite += 1 }
    return value
  }

  var extraColumns: [RecordedColumn] { extras.map(\.column) }
}
