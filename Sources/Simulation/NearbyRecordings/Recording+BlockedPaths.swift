import NearbyEstimation

extension Recording {
  /// For each range the probability that its direct path was blocked, `nil` where the row does not say; empty if the
  /// recording lacks the figures of the direct path.
  ///
  /// A receiver's total power alone depends on the radio more than on the path, so it is not used alone.
  ///
  /// - Parameter rangeOffset: Subtracted from every range, metres.
  package func blockedProbabilities(rangeOffset: Double = 0) -> [Double?] {
    let columns = ReceiverColumns.names.map { numbers($0) ?? [] }
    guard columns[1].count == ranges.count,
      columns[2].count == ranges.count || columns[3].count == ranges.count
    else { return [] }
    let model = BlockedPathModel()
    return ranges.indices.map { row in
      var values = columns.map { $0.indices.contains(row) ? $0[row] : .nan }
      values[0] = ranges[row].range - rangeOffset
      return model.probability(ReceiverFigures(columns: values))
    }
  }

  /// For each range whether its receiver marked the path as blocked, `nil` where the row does not say; empty if the
  /// recording lacks the column.
  package func blockedMarks() -> [Bool?] {
    let column = extraColumns.first { $0.name == "looks_nlos" }?.values
    let numbers: [Double?] =
      switch column {
      case .numbers(let numbers): numbers
      case .text(let text): text.map(Double.init)
      case nil: []
      }
    guard numbers.count == ranges.count else { return [] }
    return numbers.map { $0 == 0 ? false : $0 == 1 ? true : nil }
  }
}
