/// What is still missing before a search counts as converged.
package struct ConvergenceReasons: OptionSet, Equatable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let insufficientMovement = ConvergenceReasons(rawValue: 1)
  package static let insufficientHorizontalSweep = ConvergenceReasons(rawValue: 2)
  package static let insufficientVerticalSweep = ConvergenceReasons(rawValue: 4)
  package static let insufficientLighting = ConvergenceReasons(rawValue: 8)
  package static let insufficientSignalStrength = ConvergenceReasons(rawValue: 16)

  /// Apple's names of the reasons, in a fixed order.
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

/// Whether an object is higher or lower than the device.
package enum VerticalEstimate: String, Equatable, Sendable {
  case unknown, same, above, below
  /// Either above or below; the motion cannot tell which.
  case aboveOrBelow
}

/// Where the object is, as far as that is known.
package struct AssistanceEstimate: Equatable, Sendable {
  package var time: Duration
  /// Metres from the device's origin, with standard deviation; the last range until a place is known.
  package var distance: Double
  package var distanceSigma: Double
  /// Position in the device's AR world, metres; `nil` while it is too uncertain, for example because separate
  /// places are likely.
  package var positionInWorld: SIMD3<Double>?
  /// Standard deviations of the position, metres: in the level plane (both axes together) and in height.
  package var horizontalSigma: Double
  package var verticalSigma: Double
  /// From the device's forward axis to the object in the level plane, radians, positive to the right.
  package var horizontalAngle: Double?
  /// Standard deviation of `horizontalAngle`, radians; infinite without one.
  package var horizontalAngleSigma = Double.infinity
  /// Unit vector to the object in the device frame; `nil` unless known to better than 0.3 rad.
  package var directionInDevice: SIMD3<Double>?
  /// Whether any angle measured by the chip has entered the search.
  package var isDirectionSeen = false
  /// Velocity of an object found to move, m/s in the world; zero at rest.
  package var velocityInWorld = SIMD3<Double>.zero
  /// Covariance of the position, metres²: xx, xy, xz, yy, yz, zz; infinite without a position.
  package var covariance = SIMD8<Double>(repeating: .infinity)
  package var vertical: VerticalEstimate
  package var reasons: ConvergenceReasons
  package var isConverged: Bool { reasons.isEmpty }
  /// Whether the device has moved enough from side to side (`hasHorizontalSweep`) and up and down
  /// (`hasVerticalSweep`).
  package var hasHorizontalSweep: Bool {
    reasons.isDisjoint(with: [.insufficientMovement, .insufficientHorizontalSweep])
  }
  package var hasVerticalSweep: Bool {
    reasons.isDisjoint(with: [.insufficientMovement, .insufficientVerticalSweep])
  }
}
