/// What stands between a search and its end.
package enum ConvergenceReason: String, CaseIterable, Equatable, Sendable {
  case insufficientMovement, insufficientHorizontalSweep, insufficientVerticalSweep
  case insufficientLighting, insufficientSignalStrength
}

/// Whether an object lies higher or lower than the device.
package enum VerticalEstimate: String, Equatable, Sendable {
  case unknown, same, above, below
  /// One of both; the motion cannot tell which.
  case aboveOrBelow
}

/// Where the object is, as far as known.
package struct AssistanceEstimate: Equatable, Sendable {
  package var time: Duration
  /// Metres from the device's origin, and its standard deviation.
  package var distance: Double
  package var distanceSigma: Double
  /// In the device's AR world, metres; `nil` while several places are likely that have nothing in common.
  package var positionInWorld: SIMD3<Double>?
  /// Standard deviations of the position in the level plane (both axes together) and in height, metres.
  package var horizontalSigma: Double
  package var verticalSigma: Double
  /// From the device's forward axis to the object in the level plane, rad, positive to the right.
  package var horizontalAngle: Double?
  package var vertical: VerticalEstimate
  package var reasons: [ConvergenceReason]
  package var isConverged: Bool { reasons.isEmpty }
}
