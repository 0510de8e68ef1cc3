import NearbyStateOctets

extension PositionSolver {
  /// Writes what this solver has learned from measurements, or reads what another one with the same anchors and options
  /// wrote: it then continues exactly as that one.
  ///
  /// After reading, the solver is usable only if the coder is not broken.
  package mutating func code(_ coder: inout StateCoder) {
    let anchors = table.anchors.count
    state.code(&coder)
    slots.code(&coder)
    window.code(&coder, anchors: anchors)
    motion.code(&coder)
    agreement.code(&coder)
    trust.code(&coder)
    coder.code(&hasTrack)
    for time in [
      \Self.stateTime, \Self.latest, \Self.latestUsed, \Self.lastAttempt, \Self.liftTime, \Self.trackStart,
    ] {
      coder.code(&self[keyPath: time])
    }
    coder.code(finite: &attemptInterval)
    coder.code(finite: &biasLift)
    coder.code(&clockFailures, in: 0...Self.mostFailures)
    coder.code(&failure)
    coder.code(&used, in: 0...Int.max)
    for reason in rejections.indices { coder.code(&rejections[reason], in: 0...Int.max) }
    let mean = state.mean
    coder.require(mean.indices.allSatisfy { mean[$0].isFinite })
  }
}
