/// Ranges, paths and places that were recorded, in one neutral form: a folder of CSV files in SI units.
///
/// Only the ranges are required. Times are those of the recording; frames: world, z up, metres.
package struct Recording: Equatable, Sendable {
  /// In order of time; those of one time in the order of the file.
  package var ranges: [RecordedRange]
  /// The further columns of `ranges.csv`, each as long as `ranges`, in the order of the file.
  package var extraColumns: [RecordedColumn]
  /// True path of the device, world from body; empty where not recorded. In order of time.
  package var truePath: [RecordedPose]
  /// Path as a visual-inertial tracker gave it, in its own frame; empty where not recorded.
  package var trackedPath: [RecordedPose]
  /// Where the objects are, in the world.
  package var objects: [RecordedPoint]
  /// Where the antennas are, in the device's body.
  package var tags: [RecordedPoint]
  /// `meta.json`; empty where there is none.
  package var meta: [String: RecordedMeta]

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

  /// The same recording with only the ranges that pass; the further columns follow.
  package func selecting(_ passes: (RecordedRange) -> Bool) -> Recording {
    taking(ranges.indices.filter { passes(ranges[$0]) })
  }

  /// The same recording with its ranges in order of time; those of one time as they were.
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

  /// The numbers of a further column such as `rx_dbm`, NaN where a field was empty; `nil` if there is none.
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
  /// The antenna on the device, `nil` where the recording tells none apart.
  package var tag: String?
  package var object: String
  /// Metres as measured, antenna delay included; may be negative.
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
  /// Whom the range joins.
  package var pair: RecordedPair { RecordedPair(object: object, tag: tag) }
}

/// An antenna and an object, whose ranges make one series.
package struct RecordedPair: Hashable, Sendable {
  package var object: String
  package var tag: String?
  package init(object: String, tag: String?) {
    self.object = object
    self.tag = tag
  }
}

/// A further column of a file of ranges.
package struct RecordedColumn: Equatable, Sendable {
  package enum Values: Equatable, Sendable {
    /// NaN where the field was empty.
    case numbers([Double])
    case text([String])
  }
  package var name: String
  package var values: Values
  package init(name: String, values: Values) {
    self.name = name
    self.values = values
  }

  /// Compares bit patterns, so that two empty fields are equal.
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

/// A pose: reference frame from body.
package struct RecordedPose: Equatable, Sendable {
  package var time: Duration
  /// Metres.
  package var position: SIMD3<Double>
  /// Unit quaternion x, y, z, w that turns body vectors into the reference frame.
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
