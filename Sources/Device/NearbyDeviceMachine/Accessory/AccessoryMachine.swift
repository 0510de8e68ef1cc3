import NearbyAccessoryProtocol
import NearbyEstimation
import NearbyUCI

/// An accessory: its messages to phones, and the sessions that it has with them on its chip.
///
/// A phone connects over Bluetooth, sends `initialize` and gets the configuration data; its app makes
/// shareable data of that and sends it back, and both sides range. This machine holds for each phone how far
/// that went. It is pure: phones, their messages, the chip's events and the time go in; messages, requests to
/// the chip and reports come out, to be executed in order.
///
/// Each phone has at most one session, and one change of it under way on the chip. Of what a phone asks for
/// meanwhile only the newest counts, so that memory is bounded whatever phones send.
/// Source: Apple, "Nearby Interaction Accessory Protocol Specification"; `Docs/accessory.md`.
package struct AccessoryMachine: Sendable {
  /// What the shell, or the device, must do, in order.
  package enum Action: Hashable, Sendable {
    case send([UInt8], to: PhoneAtAccessory)
    /// Set a session up on the chip and start it.
    case open(UCISessionRequest)
    /// Take a session down.
    case close(UInt32)
    /// Have the Nearby Interaction service hold these octets.
    case serve([UInt8])
    case report(AccessoryEvent)
  }

  /// The chip, as far as phones need to know.
  private enum Chip: Sendable {
    /// Not up. Where it was up before: what it offered then.
    case starting(before: AccessoryOffer?)
    case ready(AccessoryOffer)
    /// No chip, or one that lacks a required capability.
    case unsuitable

    var offer: AccessoryOffer? {
      switch self {
      case .starting(let before): before
      case .ready(let offer): offer
      case .unsuitable: nil
      }
    }

    var isUnsuitable: Bool {
      if case .unsuitable = self { true } else { false }
    }
  }

  package let settings: AccessorySettings
  /// The accessory's short address.
  let address: UInt16
  private var chip = Chip.starting(before: nil)
  /// In the order in which they connected.
  private var phones: [AccessoryPhoneState] = []
  /// Phones for which there was no room. They are admitted when they send a message and there is.
  private var rejected: [PhoneAtAccessory] = []
  private var actions: [Action] = []
  /// Our choice: more than the links of a Bluetooth controller, so that none is forgotten while it is
  /// connected.
  private static let longestQueue = 64

  package init(settings: AccessorySettings, address: UInt16) {
    self.settings = settings
    // 0 and FFFF are no addresses of devices: FFFF is broadcast in IEEE 802.15.4.
    self.address = min(max(address, 1), 0xFFFE)
  }

  /// Returns the actions since the last call, and forgets them.
  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  private func index(of phone: PhoneAtAccessory) -> Int? { phones.firstIndex { $0.phone == phone } }

  private func index(onChip id: UInt32) -> Int? { phones.firstIndex { $0.session.chipID == id } }

  /// Whether a session on the chip is one with a phone.
  package func owns(_ id: UInt32) -> Bool { index(onChip: id) != nil }

  // MARK: Phones

  package mutating func connected(_ phone: PhoneAtAccessory, at now: Duration) {
    guard index(of: phone) == nil else { return }
    guard phones.count < settings.phoneLimit else {
      if !rejected.contains(phone) { rejected.append(phone) }
      if rejected.count > Self.longestQueue { rejected.removeFirst() }
      return report(phone, .tooManyPhones)
    }
    rejected.removeAll { $0 == phone }
    phones.append(AccessoryPhoneState(phone, burst: settings.messageBurst, at: now))
  }

  package mutating func disconnected(_ phone: PhoneAtAccessory, at now: Duration) {
    rejected.removeAll { $0 == phone }
    guard let index = index(of: phone) else { return }
    endSession(index, .disconnected, next: nil, tellsStop: false)
    phones.remove(at: index)
  }

  /// The program ends the session with a phone.
  package mutating func stop(_ phone: PhoneAtAccessory, at now: Duration) {
    guard let index = index(of: phone), phones[index].session.shareable != nil else { return }
    endSession(index, .byProgram, next: nil, tellsStop: true)
  }

  /// The program ends the accessory. No session is left on the chip.
  package mutating func shutDown(at now: Duration) {
    for index in phones.indices {
      if phones[index].session.shareable != nil { send(.didStop, to: phones[index].phone) }
      endSession(index, .byProgram, next: nil, tellsStop: false)
    }
    phones = []
    rejected = []
  }

  package mutating func received(_ octets: [UInt8], from phone: PhoneAtAccessory, at now: Duration) {
    if rejected.contains(phone), phones.count < settings.phoneLimit { connected(phone, at: now) }
    guard let index = index(of: phone) else {
      return report(phone, rejected.contains(phone) ? .tooManyPhones : .unknownPhone)
    }
    switch phones[index].admitMessage(settings, at: now) {
    case .admitted: break
    case .firstRejected: return report(phone, .tooManyMessages)
    case .rejected: return
    }
    do throws(AccessoryProtocolError) {
      switch try AccessoryMessage(octets) {
      case .initialize: initialise(index)
      case .configureAndStart(let payload): configure(index, try ShareableConfigurationData(payload))
      case .stop: stopByPhone(index)
      case .configurationData, .didStart, .didStop: report(phone, .notForAccessories)
      }
    } catch {
      report(phone, .malformed(error))
    }
  }

  private mutating func initialise(_ index: Int) {
    endSession(index, .byPhone, next: nil, tellsStop: false)
    phones[index].introduction = .initialised
    switch chip {
    case .ready(let offer): sendConfiguration(offer, index)
    case .starting: phones[index].introduction = .awaitingConfiguration
    case .unsuitable: report(phones[index].phone, .chipUnsuitable)
    }
  }

  private mutating func sendConfiguration(_ offer: AccessoryOffer, _ index: Int) {
    phones[index].introduction = .initialised
    send(.configurationData(offer.configuration.octets), to: phones[index].phone)
  }

  private mutating func configure(_ index: Int, _ shareable: ShareableConfigurationData) {
    let phone = phones[index].phone
    if let refusal = refusal(of: shareable, index) {
      report(phone, refusal)
      // The protocol has no message for a refusal; this one notifies the phone's app that nothing runs.
      if phones[index].session.shareable == nil { send(.didStop, to: phone) }
      return
    }
    endSession(index, .byPhone, next: shareable, tellsStop: false)
    openNext(index)
  }

  private func refusal(of shareable: ShareableConfigurationData, _ index: Int) -> AccessoryRefusal? {
    guard phones[index].introduction != .none else { return .notInitialised }
    guard !chip.isUnsuitable else { return .chipUnsuitable }
    guard shareable.version.major <= settings.version.major else { return .versionMismatch }
    guard shareable.phoneAddress != address else { return .addressInUse }
    for other in phones.indices where other != index {
      let session = phones[other].session
      if session.chipID == shareable.sessionID || session.next?.sessionID == shareable.sessionID {
        return .sessionInUse
      }
    }
    let others = phones.indices.filter { $0 != index && !phones[$0].session.isNone }.count
    return others < chip.offer?.sessionLimit ?? .max ? nil : .tooManySessions
  }

  private mutating func stopByPhone(_ index: Int) {
    guard phones[index].session.shareable != nil else { return report(phones[index].phone, .notRunning) }
    endSession(index, .byPhone, next: nil, tellsStop: true)
  }

  // MARK: Sessions

  /// Ends what a phone has on the chip; the `next` session waits until that is down.
  private mutating func endSession(
    _ index: Int, _ reason: AccessoryStop, next: ShareableConfigurationData?, tellsStop: Bool
  ) {
    let phone = phones[index].phone
    switch phones[index].session {
    case .none: phones[index].session = .init(next: next)
    case .waiting:
      phones[index].session = .init(next: next)
      if tellsStop { send(.didStop, to: phone) }
    case .opening(let shareable, _): close(shareable)
    case .running(let shareable, _, _):
      report(.stopped(phone, reason))
      close(shareable)
    case .closing(let id, _, let toldBefore):
      phones[index].session = .closing(
        id, next: next, tellsStop: tellsStop || (toldBefore && next == nil))
    }

    func close(_ shareable: ShareableConfigurationData) {
      phones[index].session = .closing(shareable.sessionID, next: next, tellsStop: tellsStop)
      actions.append(.close(shareable.sessionID))
    }
  }

  /// Sets up the session that waits, where the chip is ready.
  private mutating func openNext(_ index: Int) {
    guard case .ready(let offer) = chip,
      case .waiting(let shareable, let estimator) = phones[index].session
    else { return }
    phones[index].session = .opening(shareable, resuming: estimator)
    let parameters = AccessorySessionParameters(
      side: .accessory, shareable: shareable, accessory: offer.configuration.uwb,
      measuresDirection: offer.measuresDirection, hopsWhenLost: offer.hopsWhenLost)
    actions.append(.open(parameters.request))
  }

  // MARK: The chip

  /// The chip came up, for the first time or again.
  package mutating func chipReady(_ capabilities: UCICapabilities?, at now: Duration) {
    guard let offer = AccessoryOffer(capabilities, settings: settings, address: address) else {
      return chipGone(at: now)
    }
    let before = chip.offer
    chip = .ready(offer)
    if before?.configuration != offer.configuration {
      let octets = offer.configuration.octets
      actions.append(.serve(octets))
      report(.ready(octets))
    }
    for index in phones.indices {
      if phones[index].introduction == .awaitingConfiguration { sendConfiguration(offer, index) }
      openNext(index)
    }
  }

  /// The chip lost every session and comes back by itself; sessions that were ranging then restart.
  package mutating func chipRecovering() {
    guard !chip.isUnsuitable else { return }
    chip = .starting(before: chip.offer)
    for index in phones.indices {
      switch phones[index].session {
      case .none, .waiting: break
      case .opening(let shareable, let estimator):
        phones[index].session = .waiting(shareable, resuming: estimator)
      case .running(let shareable, let estimator, _):
        phones[index].session = .waiting(shareable, resuming: estimator)
      case .closing(_, let next, let tellsStop):
        if tellsStop { send(.didStop, to: phones[index].phone) }
        phones[index].session = .init(next: next)
      }
    }
  }

  /// The chip is gone, or lacks a required capability.
  package mutating func chipGone(at now: Duration) {
    guard !chip.isUnsuitable else { return }
    chip = .unsuitable
    report(.unavailable)
    for index in phones.indices {
      let phone = phones[index].phone
      let session = phones[index].session
      if case .running = session { report(.stopped(phone, .byChip)) }
      if session.shareable != nil { send(.didStop, to: phone) }
      if phones[index].introduction == .awaitingConfiguration {
        report(phone, .chipUnsuitable)
        phones[index].introduction = .initialised
      }
      if case .closing(_, _, tellsStop: true) = session { send(.didStop, to: phone) }
      phones[index].session = .none
    }
  }

  package mutating func sessionState(
    _ id: UInt32, _ state: UCISessionState, _ reason: UCIReason, at now: Duration
  ) {
    guard let index = index(onChip: id) else { return }
    switch phones[index].session {
    case .opening(let shareable, let estimator):
      if state == .active { return started(index, shareable, resuming: estimator, at: now) }
      // The IDLE that ends the configuration is by command; any other ends the session.
      if state == .initialised || (state == .idle && reason == .byCommand) { return }
      report(phones[index].phone, .chipRefused)
      endSession(index, .byChip, next: nil, tellsStop: true)
    case .running:
      // A phone that suspends its rounds may resume them; if not, the silence ends the session.
      guard state == .idle || state == .deinitialised || state == .error, reason != .suspendedInBand else {
        return
      }
      endSession(index, reason == .stoppedInBand ? .inBand : .byChip, next: nil, tellsStop: true)
    case .none, .waiting, .closing: break
    }
  }

  private mutating func started(
    _ index: Int, _ shareable: ShareableConfigurationData, resuming estimator: Boxed<PeerEstimator>?,
    at now: Duration
  ) {
    let phone = phones[index].phone
    phones[index].session = .running(
      shareable, estimator ?? Boxed(PeerEstimator()), silence: now + settings.silenceLimit)
    // After the chip recovered: the phone never learned that the session had stopped.
    guard estimator == nil else { return }
    send(.didStart, to: phone)
    report(.started(phone))
  }

  package mutating func sessionFailed(_ id: UInt32, at now: Duration) {
    guard let index = index(onChip: id) else { return }
    switch phones[index].session {
    case .opening:
      report(phones[index].phone, .chipRefused)
      endSession(index, .byChip, next: nil, tellsStop: true)
    case .closing: sessionClosed(id, at: now)
    // The last request had no effect; the session stays.
    case .running, .none, .waiting: break
    }
  }

  package mutating func sessionClosed(_ id: UInt32, at now: Duration) {
    guard let index = index(onChip: id), case .closing(_, let next, let tellsStop) = phones[index].session
    else { return }
    if tellsStop { send(.didStop, to: phones[index].phone) }
    phones[index].session = .init(next: next)
    openNext(index)
  }

  package mutating func measured(
    _ id: UInt32, _ measurements: [UCITwoWayMeasurement], at now: Duration
  ) {
    guard let index = index(onChip: id) else { return }
    let estimate = phones[index].receive(measurements, silenceLimit: settings.silenceLimit, at: now)
    guard let estimate else { return }
    report(.measured(phones[index].phone, AccessoryMeasurement(estimate, at: now)))
  }

  // MARK: Time

  /// The earliest time at which `timePassed` has something to do.
  package var nextWake: Duration? { phones.compactMap(\.session.silenceDeadline).min() }

  package mutating func timePassed(at now: Duration) {
    for index in phones.indices {
      guard let deadline = phones[index].session.silenceDeadline, deadline <= now else { continue }
      endSession(index, .silence, next: nil, tellsStop: true)
    }
  }

  // MARK: Actions

  private mutating func send(_ message: AccessoryMessage, to phone: PhoneAtAccessory) {
    actions.append(.send(message.octets, to: phone))
  }

  private mutating func report(_ event: AccessoryEvent) { actions.append(.report(event)) }

  private mutating func report(_ phone: PhoneAtAccessory, _ refusal: AccessoryRefusal) {
    report(.refused(phone, refusal))
  }
}
