import NearbyDeviceMachine
import NearbyEstimation
import NearbyWorldProtocol

extension SessionReport.Event {
  /// Converts a session event for the world's observers; `nil` for events that concern only an accessory.
  init?(_ event: SessionEvent, hypotheses: [SeenHypothesis]) {
    switch event {
    case .updated(let estimate): self = .updated(Sighting(estimate, nil, []))
    case .assisted(let estimate, let assisted): self = .updated(Sighting(estimate, assisted, hypotheses))
    case .convergence(let reasons, ofPeer: let isOfPeer):
      self = .convergence(UInt32(reasons.rawValue), ofPeer: isOfPeer)
    case .removed(let reason): self = .removed(didTimeOut: reason == .timeout)
    case .suspended: self = .suspended
    case .suspensionEnded: self = .suspensionEnded
    case .startedRunning: self = .startedRunning
    case .shareable, .anchorsHeard, .sounds: return nil
    case .invalidated(let failure): self = .invalidated(error: "\(failure)")
    }
  }
}

extension Sighting {
  init(_ estimate: PeerEstimate, _ assisted: AssistedEstimate?, _ hypotheses: [SeenHypothesis]) {
    self.init(
      distance: estimate.distance.map { Distance(metres: $0.distance, sigma: $0.sigma) },
      direction: estimate.direction.map { Direction(vector: $0.direction, sigma: $0.sigma) },
      horizontalAngle: assisted?.horizontalAngle, vertical: assisted.map { UInt8($0.vertical) },
      place: assisted?.positionInTrack,
      hypotheses: hypotheses.map { Hypothesis(position: $0.position, weight: $0.weight, spread: $0.spread) })
  }
}

extension UInt8 {
  /// 0 unknown, 1 same, 2 above, 3 below, 4 above or below.
  fileprivate init(_ vertical: VerticalEstimate) {
    switch vertical {
    case .unknown: self = 0
    case .same: self = 1
    case .above: self = 2
    case .below: self = 3
    case .aboveOrBelow: self = 4
    }
  }
}

extension WorldAnswer {
  init(_ permission: Permission) {
    switch permission {
    case .notDetermined: self = .notDetermined
    case .allowed: self = .allowed
    case .allowedOnce: self = .allowedOnce
    case .denied: self = .denied
    }
  }
}

extension Permission {
  init(_ answer: WorldAnswer) {
    switch answer {
    case .notDetermined: self = .notDetermined
    case .allowed: self = .allowed
    case .allowedOnce: self = .allowedOnce
    case .denied: self = .denied
    }
  }
}
