import NearbyEstimation
import NearbyRecordings

/// Collects a search's picture from its rows.
package struct LocatePicture {
  private var plot: LocatePlot
  private var numbers: [RecordedPair: Int] = [:]

  package init(title: String) { plot = LocatePlot(title: title) }

  package mutating func add(_ row: LocateRow) {
    let place = row.pose.positionInWorld
    plot.path.append(SIMD2(place.x, place.y))
    let pair = RecordedPair(object: row.object, tag: row.tag)
    let number = numbers[pair, default: plot.series.count]
    if number == plot.series.count {
      numbers[pair] = number
      let name = "object \(row.object)" + (row.tag.map { ", tag \($0)" } ?? "")
      plot.series.append(LocatePlotSeries(name: name))
    }
    plot.series[number].add(row)
  }

  /// The picture, with the pairs sorted by name.
  package func finished() -> LocatePlot {
    var plot = plot
    plot.series.sort { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    for index in plot.series.indices { plot.series[index].explainGaps() }
    return plot
  }
}

extension LocatePlotSeries {
  fileprivate mutating func add(_ row: LocateRow) {
    let time = row.time / .seconds(1)
    hypotheses = row.hypotheses.map { hypothesis in
      let covariance = hypothesis.covariance
      return Hypothesis(
        place: SIMD2(hypothesis.position.x, hypothesis.position.y),
        covariance: SIMD3(covariance[0], covariance[1], covariance[3]), weight: hypothesis.weight)
    }
    truth = row.truePosition.map { SIMD2($0.x, $0.y) }
    guard let estimate = row.estimate, let found = estimate.positionInWorld else { return }
    sigmas.append(.init(time: time, value: estimate.horizontalSigma))
    if let truth {
      let away = SIMD2(found.x, found.y) - truth
      errors.append(.init(time: time, value: (away * away).sum().squareRoot()))
    }
    if convergedAt == nil, estimate.isConverged { convergedAt = time }
  }

  fileprivate mutating func explainGaps() {
    if sigmas.isEmpty {
      remark = "No position found: the object has to stand still while the device moves around it."
    } else if errors.isEmpty {
      remark = "No true position recorded, so no error."
    }
  }
}
