import NearbyAccessoryProtocol
import NearbyEstimation
import NearbyUCI

/// One phone as an accessory keeps it.
struct AccessoryPhoneState: Sendable {
  /// What the phone has on the chip.
  enum Session: Hashable, Sendable {
    case none
    /// To be set up once the chip is ready.
    case waiting(ShareableConfigurationData)
    case opening(ShareableConfigurationData)
    case running(ShareableConfigurationData)
    /// Being taken down, by its id; then the next one is set up, or the phone is told that it stopped.
    case closing(UInt32, next: ShareableConfigurationData?, tellsStop: Bool)

    /// The session's name on the chip.
    var chipID: UInt32? {
      switch self {
      case .none, .waiting: nil
      case .opening(let shareable), .running(let shareable): shareable.sessionID
      case .closing(let id, _, _): id
      }
    }

    /// What is to come.
    var next: ShareableConfigurationData? {
      switch self {
      case .waiting(let shareable): shareable
      case .closing(_, let next, _): next
      case .none, .opening, .running: nil
      }
    }

    /// What the phone asked for and still stands.
    var shareable: ShareableConfigurationData? {
      switch self {
      case .opening(let shareable), .running(let shareable): shareable
      case .none, .waiting, .closing: next
      }
    }
  }

  /// What comes of a message by its number.
  enum Admission { case taken, firstTooMany, tooMany }

  let phone: PhoneAtAccessory
  var isInitialised = false
  var awaitsConfiguration = false
  var session = Session.none
  /// While a session runs, also while its chip recovers.
  var ranging: AccessoryRanging?
  /// Messages that may come at once.
  private var allowance: Int
  private var lastRefill: Duration
  private var isFlooding = false

  init(_ phone: PhoneAtAccessory, burst: Int, at now: Duration) {
    self.phone = phone
    allowance = burst
    lastRefill = now
  }

  mutating func takeMessage(_ settings: AccessorySettings, at now: Duration) -> Admission {
    let refill = Int(min(max((now - lastRefill) / settings.messageInterval, 0), 1e6))
    if refill > 0 {
      allowance = min(settings.messageBurst, allowance + refill)
      lastRefill = allowance == settings.messageBurst ? now : lastRefill + settings.messageInterval * refill
    }
    guard allowance > 0 else {
      defer { isFlooding = true }
      return isFlooding ? .tooMany : .firstTooMany
    }
    allowance -= 1
    isFlooding = false
    return .taken
  }
}

/// A phone's rounds, on the accessory's side.
struct AccessoryRanging: Sendable {
  let phoneAddress: UInt16
  var estimator = PeerEstimator()
  /// When the phone has been silent for too long.
  var deadline: Duration?

  /// - Returns: Whether a distance came.
  mutating func take(
    _ measurements: [UCITwoWayMeasurement], silenceLimit: Duration, at now: Duration
  ) -> Bool {
    var isHeard = false
    for measurement in measurements where measurement.address == .short(phoneAddress) {
      guard let reading = PeerReading(measurement, at: now) else { continue }
      estimator.update(reading)
      deadline = now + silenceLimit
      isHeard = true
    }
    return isHeard
  }
}
