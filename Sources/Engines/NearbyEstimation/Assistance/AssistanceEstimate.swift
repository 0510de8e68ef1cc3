/// What stands between a search and its end.
package struct ConvergenceReasons: OptionSet, Equatable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let insufficientMovement = ConvergenceReasons(rawValue: 1)
  package static let insufficientHorizontalSweep = ConvergenceReasons(rawValue: 2)
  package static let insufficientVerticalSweep = ConvergenceReasons(rawValue: 4)
  package static let insufficientLighting = ConvergenceReasons(rawValue: 8)
  package static let insufficientSignalStrength = ConvergenceReasons(rawValue: 16)

  /// By Apple's names, in a fixed order.
  package var names: [String] {
    let all: [(ConvergenceReasons, String)] = [
      (.insufficientMovement, "insufficientMovement"),
      (.insufficientHorizontalSweep, "insufficientHorizontalSweep"),
      (.insufficientVerticalSweep, "insufficientVerticalSweep"),
      (.insufficientLighting, "insufficientLighting"),
      (.insufficientSignalStrength, "insufficientSignalStrength"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
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
  /// Of that angle, rad; infinite without one.
  package var horizontalAngleSigma = Double.infinity
  /// To the object in the device frame, unit vector; `nil` unless known to better than 0.3 rad.
  package var directionInDevice: SIMD3<Double>?
  /// Whether the chip's angles have told the direction since the search began.
  package var isDirectionSeen = false
  /// Of an object found to move, m/s in the world; zero at rest.
  package var velocityInWorld = SIMD3<Double>.zero
  /// Of the position, metres²: xx, xy, xz, yy, yz, zz; infinite without one.
  package var covariance = SIMD8<Double>(repeating: .infinity)
  package var vertical: VerticalEstimate
  package var reasons: ConvergenceReasons
  package var isConverged: Bool { reasons.isEmpty }
  /// Whether the device has moved enough from side to side, and up and down.
  package var hasHorizontalSweep: Bool {
    reasons.isDisjoint(with: [.insufficientMovement, .insufficientHorizontalSweep])
  }
  package var hasVerticalSweep: Bool {
    reasons.isDisjoint(with: [.insufficientMovement, .insufficientVerticalSweep])
  }
}
