/// Recorded ranges, paths and positions in one neutral form: a folder of CSV files in SI units.
///
/// Only the ranges are required. Times are the recording's own; the world frame has z up; lengths are in
/// metres.
package struct Recording: Equatable, Sendable {
  /// Sorted by time; equal times keep file order.
  package var ranges: [RecordedRange]
  /// The extra columns of `ranges.csv` in file order, each as long as `ranges`.
  package var extraColumns: [RecordedColumn]
  /// True path of the device, world from body, sorted by time; empty if not recorded.
  package var truePath: [RecordedPose]
  /// Path from a visual-inertial tracker, in the tracker's frame; empty if not recorded.
  package var trackedPath: [RecordedPose]
  /// Positions of the objects, in the world.
  package var objects: [RecordedPoint]
  /// Positions of the antennas, in the device's body.
  package var tags: [RecordedPoint]
  /// Contents of `meta.json`; empty if there is no such file.
  package var meta: [String: RecordedMeta]
  /// Count of values in `ranges.csv` that were `nan` or infinite, and so count as missing.
  package var missingValues = 0

  package init(
    ranges: [RecordedRange], extraColumns: [RecordedColumn] = [], truePath: [RecordedPose] = [],
    trackedPath: [RecordedPose] = [], objects: [RecordedPoint] = [], tags: [RecordedPoint] = [],
    meta: [String: RecordedMeta] = [:]
  ) {
    self.ranges = ranges
    self.extraColumns = extraColumns
    self.truePath = truePath
    self.trackedPath = trackedPath
    self.objects = objects
    self.tags = tags
    self.meta = meta
  }

  /// Keeps only the ranges that pass, together with their extra columns.
  package func selecting(_ passes: (RecordedRange) -> Bool) -> Recording {
    taking(ranges.indices.filter { passes(ranges[$0]) })
  }

  /// Sorts the ranges by time; equal times keep their order.
  package func inOrder() -> Recording {
    let isInOrder = zip(ranges, ranges.dropFirst()).allSatisfy { $0.time <= $1.time }
    if isInOrder { return self }
    return taking(
      ranges.indices.sorted { a, b in
        ranges[a].time == ranges[b].time ? a < b : ranges[a].time < ranges[b].time
      })
  }

  private func taking(_ rows: [Int]) -> Recording {
    var selected = self
    selected.ranges = rows.map { ranges[$0] }
    selected.extraColumns = extraColumns.map { column in
      switch column.values {
      case .numbers(let numbers):
        RecordedColumn(
          name: column.name, values: .numbers(rows.filter(numbers.indices.contains).map { numbers[$0] }))
      case .text(let text):
        RecordedColumn(name: column.name, values: .text(rows.filter(text.indices.contains).map { text[$0] }))
      }
    }
    return selected
  }

  /// The numbers of an extra column such as `rx_dbm`, NaN for empty fields; `nil` if there is no such column.
  package func numbers(_ column: String) -> [Double]? {
    for candidate in extraColumns where candidate.name == column {
      if case .numbers(let numbers) = candidate.values { return numbers }
    }
    return nil
  }
}

/// One measured range.
package struct RecordedRange: Equatable, Sendable {
  package var time: Duration
  /// The antenna on the device, or `nil` if the recording does not distinguish antennas.
  package var tag: String?
  package var object: String
  /// As measured, metres, including the antenna delay; may be negative.
  package var range: Double
  /// Metres, where known.
  package var trueRange: Double?
  package init(time: Duration, tag: String?, object: String, range: Double, trueRange: Double? = nil) {
    self.time = time
    self.tag = tag
    self.object = object
    self.range = range
    self.trueRange = trueRange
  }
  /// The antenna and object between which the range was measured.
  package var pair: RecordedPair { RecordedPair(object: object, tag: tag) }
}

/// An antenna and an object, whose ranges form one series.
package struct RecordedPair: Hashable, Sendable {
  package var object: String
  package var tag: String?
  package init(object: String, tag: String?) {
    self.object = object
    self.tag = tag
  }
}

/// An extra column of `ranges.csv`.
package struct RecordedColumn: Equatable, Sendable {
  package enum Values: Equatable, Sendable {
    /// NaN for empty fields.
    case numbers([Double])
    case text([String])
  }
  package var name: String
  package var values: Values
  package init(name: String, values: Values) {
    self.name = name
    self.values = values
  }

  /// Treats two empty fields (NaN) as equal.
  package static func == (left: Self, right: Self) -> Bool {
    guard left.name == right.name else { return false }
    switch (left.values, right.values) {
    case (.numbers(let a), .numbers(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
    case (.text(let a), .text(let b)): return a == b
    case (.numbers, .text), (.text, .numbers): return false
    }
  }
}

/// A timed pose, reference frame from body.
package struct RecordedPose: Equatable, Sendable {
  package var time: Duration
  /// Metres.
  package var position: SIMD3<Double>
  /// Unit quaternion x, y, z, w that rotates body vectors into the reference frame.
  package var orientation: SIMD4<Double>
  package init(
    time: Duration, position: SIMD3<Double>, orientation: SIMD4<Double> = SIMD4(0, 0, 0, 1)
  ) {
    self.time = time
    self.position = position
    self.orientation = orientation
  }
}

/// A named point, metres.
package struct RecordedPoint: Equatable, Sendable {
  package var name: String
  package var position: SIMD3<Double>
  package init(name: String, position: SIMD3<Double>) {
    self.name = name
    self.position = position
  }
}

/// A value of `meta.json`.
package indirect enum RecordedMeta: Equatable, Sendable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([RecordedMeta])
  case object([String: RecordedMeta])
  case null
}
