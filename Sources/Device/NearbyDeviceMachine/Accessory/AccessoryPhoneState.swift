import NearbyAccessoryProtocol
import NearbyEstimation
import NearbyUCI

/// One phone at an accessory.
struct AccessoryPhoneState: Sendable {
  /// How far the phone came before it may configure a session.
  enum Introduction: Hashable, Sendable {
    /// It has not sent `initialize`.
    case none
    /// It did, and gets the configuration data as soon as the chip is up.
    case awaitingConfiguration
    case initialised
  }

  /// What the phone has on the chip.
  enum Session: Sendable {
    case none
    /// To be set up once the chip is ready.
    case waiting(ShareableConfigurationData, resuming: Boxed<PeerEstimator>?)
    case opening(ShareableConfigurationData, resuming: Boxed<PeerEstimator>?)
    /// Ends when nothing came from the phone until `silence`.
    case running(ShareableConfigurationData, Boxed<PeerEstimator>, silence: Duration)
    /// Being taken down, by its id. Then the next one is set up, or the phone is sent `didStop`.
    case closing(UInt32, next: ShareableConfigurationData?, tellsStop: Bool)

    /// A session that follows another, or none.
    init(next: ShareableConfigurationData?) {
      if let next { self = .waiting(next, resuming: nil) } else { self = .none }
    }

    var isNone: Bool {
      if case .none = self { true } else { false }
    }

    /// The session's id on the chip; `nil` while the chip does not have it.
    var chipID: UInt32? {
      switch self {
      case .none, .waiting: nil
      case .opening(let shareable, _), .running(let shareable, _, _): shareable.sessionID
      case .closing(let id, _, _): id
      }
    }

    /// The session to be set up later.
    var next: ShareableConfigurationData? {
      switch self {
      case .waiting(let shareable, _): shareable
      case .closing(_, let next, _): next
      case .none, .opening, .running: nil
      }
    }

    /// What the phone asked for last, unless that has ended.
    var shareable: ShareableConfigurationData? {
      switch self {
      case .opening(let shareable, _), .running(let shareable, _, _): shareable
      case .none, .waiting, .closing: next
      }
    }

    /// When the phone's silence ends the session; `nil` unless it runs.
    var silenceDeadline: Duration? {
      if case .running(_, _, let deadline) = self { deadline } else { nil }
    }
  }

  /// Whether a message is read, by the number of messages before it.
  enum MessageAdmission { case admitted, firstRejected, rejected }

  let phone: PhoneAtAccessory
  var introduction = Introduction.none
  var session = Session.none
  /// Messages that may come at once.
  private var allowance: Int
  private var lastRefill: Duration
  /// The last message was rejected.
  private var isFlooding = false

  init(_ phone: PhoneAtAccessory, burst: Int, at now: Duration) {
    self.phone = phone
    allowance = burst
    lastRefill = now
  }

  mutating func admitMessage(_ settings: AccessorySettings, at now: Duration) -> MessageAdmission {
    let refill = Int(min(max((now - lastRefill) / settings.messageInterval, 0), 1e6))
    if refill > 0 {
      allowance = min(settings.messageBurst, allowance + refill)
      lastRefill = allowance == settings.messageBurst ? now : lastRefill + settings.messageInterval * refill
    }
    guard allowance > 0 else {
      defer { isFlooding = true }
      return isFlooding ? .rejected : .firstRejected
    }
    allowance -= 1
    isFlooding = false
    return .admitted
  }

  /// Receives the measurements of a round.
  ///
  /// - Returns: What is known of the phone now; `nil` where the round gave no distance, or no session runs.
  mutating func receive(
    _ measurements: [UCITwoWayMeasurement], silenceLimit: Duration, at now: Duration
  ) -> PeerEstimate? {
    guard case .running(let shareable, var estimator, var silence) = session else { return nil }
    // While the session refers to the estimator too, changing it would copy it.
    session = .none
    var isHeard = false
    for measurement in measurements where measurement.address == .short(shareable.phoneAddress) {
      guard let reading = PeerReading(measurement, at: now) else { continue }
      estimator.value.update(reading)
      silence = now + silenceLimit
      isHeard = true
    }
    session = .running(shareable, estimator, silence: silence)
    return isHeard ? estimator.value.estimate(at: now) : nil
  }
}
