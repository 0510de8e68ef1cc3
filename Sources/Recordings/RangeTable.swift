/// Collects the rows of `ranges.csv`.
struct RangeTable {
  private(set) var ranges: [RecordedRange] = []

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
  private var latest: [RecordedPair: Double] = [:]
  private var isSorted = true

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

  /// A column whose name ends in a unit holds numbers.
  private static func isNumeric(_ name: String) -> Bool {
    ["_m", "_dbm", "_db", "_ppm", "_s", "_deg", "_rad", "_hz"].contains { name.hasSuffix($0) }
  }

  mutating func append(_ row: CSVReader) throws(RecordingError) {
    let seconds = try row.number(time, in: Recording.timeBounds)
    var entry = RecordedRange(
      time: Recording.duration(seconds), tag: nil, object: try row.name(object),
      range: try row.number(range, in: Recording.rangeBounds))
    if let tag { entry.tag = try row.name(tag) }
    if let trueRange, !row.isBlank(trueRange) {
      entry.trueRange = try row.number(trueRange, in: Recording.rangeBounds)
    }
    try checkOrder(of: entry, seconds: seconds, row)
    for index in extras.indices { try appendExtra(index, row) }
    ranges.append(entry)
  }

  private mutating func checkOrder(
    of entry: RecordedRange, seconds: Double, _ row: CSVReader
  ) throws(RecordingError) {
    if let last = ranges.last, entry.time < last.time { isSorted = false }
    let previous = latest[entry.pair, default: -.infinity]
    guard seconds >= previous - Recording.toleratedDisorder else {
      throw .timeBackwards(file: row.file, line: row.line, found: seconds, latest: previous)
    }
    latest[entry.pair] = max(previous, seconds)
  }

  private mutating func appendExtra(_ index: Int, _ row: CSVReader) throws(RecordingError) {
    let field = extras[index].index
    switch extras[index].column.values {
    case .numbers(var numbers):
      extras[index].column.values = .text([])
      numbers.append(row.isBlank(field) ? .nan : try row.number(field))
      extras[index].column.values = .numbers(numbers)
    case .text(var text):
      extras[index].column.values = .text([])
      text.append(try row.text(field))
      extras[index].column.values = .text(text)
    }
  }

  /// The rows in order of time, ties in the order of the file.
  func sorted() -> (ranges: [RecordedRange], extraColumns: [RecordedColumn]) {
    let columns = extras.map(\.column)
    if isSorted { return (ranges, columns) }
    let order = ranges.indices.sorted {
      ranges[$0].time == ranges[$1].time ? $0 < $1 : ranges[$0].time < ranges[$1].time
    }
    let sortedColumns = columns.map { column in
      switch column.values {
      case .numbers(let numbers):
        RecordedColumn(name: column.name, values: .numbers(order.map { numbers[$0] }))
      case .text(let text):
        RecordedColumn(name: column.name, values: .text(order.map { text[$0] }))
      }
    }
    return (order.map { ranges[$0] }, sortedColumns)
  }
}
