import NearbyPlots
import NearbyPosition
import NearbyRecordings

extension PositionPlot {
  /// The picture of a replayed recording.
  init(title: String, anchors: [PositionRecording.Anchor], rows: [PositionReplay.Row]) {
    self.init(title: title)
    self.anchors = anchors.map { ("\($0.id)", SIMD2($0.position.x, $0.position.y)) }
    for row in rows {
      let position = row.estimate.position
      track.append(position.map { SIMD2($0.x, $0.y) })
      if let truth = row.truth { self.truth.append(SIMD2(truth.x, truth.y)) }
      guard let position else { continue }
      let variance = row.estimate.positionSigma * row.estimate.positionSigma
      sigmas.append(.init(time: row.estimate.time, value: variance.sum().squareRoot()))
      guard let truth = row.truth else { continue }
      let error = position - truth
      errors.append(.init(time: row.estimate.time, value: (error * error).sum().squareRoot()))
    }
  }
}
