import NearbyAccessoryProtocol
import NearbyEstimation
import NearbyUCI

/// An accessory: what it says to phones, and the sessions it has with them on its chip.
///
/// A pure machine: phones, their messages, the chip's events and the time go in; messages, requests to the chip
/// and reports come out. One session a phone, and one change of it on the chip at a time: of what a phone asks
/// meanwhile the newest counts, so that nothing piles up whatever phones say.
/// Source: `facts/accessory-protocol.md`.
package struct AccessoryMachine: Sendable {
  /// What the shell, or the device, must do, in order.
  package enum Action: Hashable, Sendable {
    case send([UInt8], to: PhoneAtAccessory)
    /// Sets a session up on the chip and starts it.
    case open(UCISessionRequest)
    /// Takes a session down.
    case close(UInt32)
    /// What the Nearby Interaction service holds from now on.
    case serve([UInt8])
    case report(AccessoryEvent)
  }

  /// The chip, as far as phones need to know.
  enum Chip: Hashable, Sendable {
    case starting
    case ready
    /// There is none, or one that does not do.
    case unsuitable
  }

  package let settings: AccessorySettings
  /// The accessory's short address.
  let address: UInt16
  var chip = Chip.starting
  /// What phones are told; there while the chip is ready.
  private(set) var configuration: AccessoryConfigurationData?
  private var measuresDirection = false
  private var hopsWhenLost = false
  private var sessionLimit = Int.max
  /// In the order in which they came.
  var phones: [AccessoryPhoneState] = []
  /// Phones for which there was no room; they are let in when they say something and there is.
  private var turnedAway: [PhoneAtAccessory] = []
  private var actions: [Action] = []
  /// More phones than Bluetooth has links for.
  private static let longestQueue = 64

  package init(settings: AccessorySettings, address: UInt16) {
    self.settings = settings
    self.address = min(max(address, 1), 0xFFFE)
  }

  /// Moves out what is to be done.
  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  func index(of phone: PhoneAtAccessory) -> Int? { phones.firstIndex { $0.phone == phone } }

  private func index(onChip id: UInt32) -> Int? { phones.firstIndex { $0.session.chipID == id } }

  /// Whether a session on the chip is one with a phone.
  package func owns(_ id: UInt32) -> Bool { index(onChip: id) != nil }

  // MARK: Phones

  package mutating func connected(_ phone: PhoneAtAccessory, at now: Duration) {
    guard index(of: phone) == nil else { return }
    guard phones.count < settings.phoneLimit else {
      if !turnedAway.contains(phone) { turnedAway.append(phone) }
      if turnedAway.count > Self.longestQueue { turnedAway.removeFirst() }
      return refuse(phone, .tooManyPhones)
    }
    turnedAway.removeAll { $0 == phone }
    phones.append(AccessoryPhoneState(phone, burst: settings.messageBurst, at: now))
  }

  package mutating func disconnected(_ phone: PhoneAtAccessory, at now: Duration) {
    turnedAway.removeAll { $0 == phone }
    guard let index = index(of: phone) else { return }
    endSession(index, .disconnected, next: nil, tellsStop: false)
    phones.remove(at: index)
  }

  /// The program ends the session with a phone.
  package mutating func stop(_ phone: PhoneAtAccessory, at now: Duration) {
    guard let index = index(of: phone), phones[index].session.shareable != nil else { return }
    endSession(index, .byProgram, next: nil, tellsStop: true)
  }

  /// The program ends the accessory: no session is left on the chip.
  package mutating func shutDown(at now: Duration) {
    for index in phones.indices {
      if phones[index].session.shareable != nil { send(.didStop, to: phones[index].phone) }
      endSession(index, .byProgram, next: nil, tellsStop: false)
    }
    phones = []
    turnedAway = []
  }

  package mutating func received(_ octets: [UInt8], from phone: PhoneAtAccessory, at now: Duration) {
    if turnedAway.contains(phone), phones.count < settings.phoneLimit { connected(phone, at: now) }
    guard let index = index(of: phone) else {
      return refuse(phone, turnedAway.contains(phone) ? .tooManyPhones : .unknownPhone)
    }
    switch phones[index].takeMessage(settings, at: now) {
    case .taken: break
    case .firstTooMany: return refuse(phone, .tooManyMessages)
    case .tooMany: return
    }
    do throws(AccessoryProtocolError) {
      switch try AccessoryMessage(octets) {
      case .initialize: initialise(index)
      case .configureAndStart(let payload): configure(index, try ShareableConfigurationData(payload))
      case .stop: stopByPhone(index)
      case .configurationData, .didStart, .didStop: refuse(phone, .notForAccessories)
      }
    } catch {
      refuse(phone, .malformed(error))
    }
  }

  private mutating func initialise(_ index: Int) {
    endSession(index, .byPhone, next: nil, tellsStop: false)
    phones[index].isInitialised = true
    switch chip {
    case .ready: sendConfiguration(index)
    // Told as soon as the chip is up.
    case .starting: phones[index].awaitsConfiguration = true
    case .unsuitable: refuse(phones[index].phone, .chipUnsuitable)
    }
  }

  private mutating func sendConfiguration(_ index: Int) {
    guard let configuration else { return }
    phones[index].awaitsConfiguration = false
    send(.configurationData(configuration.octets), to: phones[index].phone)
  }

  private mutating func configure(_ index: Int, _ shareable: ShareableConfigurationData) {
    let phone = phones[index].phone
    if let refusal = refusal(of: shareable, index) {
      refuse(phone, refusal)
      // There is no word for no; this one tells the phone's app that nothing runs.
      if phones[index].session.shareable == nil { send(.didStop, to: phone) }
      return
    }
    endSession(index, .byPhone, next: shareable, tellsStop: false)
    openNext(index)
  }

  private func refusal(of shareable: ShareableConfigurationData, _ index: Int) -> AccessoryRefusal? {
    guard phones[index].isInitialised else { return .notInitialised }
    guard chip != .unsuitable else { return .chipUnsuitable }
    guard shareable.version.major <= settings.version.major else { return .versionMismatch }
    guard shareable.phoneAddress != address else { return .addressInUse }
    for other in phones.indices where other != index {
      let session = phones[other].session
      if session.chipID == shareable.sessionID || session.next?.sessionID == shareable.sessionID {
        return .sessionInUse
      }
    }
    let others = phones.indices.filter { $0 != index && phones[$0].session != .none }.count
    return others < sessionLimit ? nil : .tooManySessions
  }

  private mutating func stopByPhone(_ index: Int) {
    guard phones[index].session.shareable != nil else { return refuse(phones[index].phone, .notRunning) }
    endSession(index, .byPhone, next: nil, tellsStop: true)
  }

  // MARK: Sessions

  /// Ends what a phone has on the chip; what comes `next` waits until that is down.
  private mutating func endSession(
    _ index: Int, _ reason: AccessoryStop, next: ShareableConfigurationData?, tellsStop: Bool
  ) {
    let phone = phones[index].phone
    phones[index].ranging = nil
    switch phones[index].session {
    case .none: phones[index].session = next.map { .waiting($0) } ?? .none
    case .waiting:
      phones[index].session = next.map { .waiting($0) } ?? .none
      if tellsStop { send(.didStop, to: phone) }
    case .opening(let shareable), .running(let shareable):
      if case .running = phones[index].session { report(.stopped(phone, reason)) }
      phones[index].session = .closing(shareable.sessionID, next: next, tellsStop: tellsStop)
      actions.append(.close(shareable.sessionID))
    case .closing(let id, _, let told):
      phones[index].session = .closing(id, next: next, tellsStop: tellsStop || (told && next == nil))
    }
  }

  /// Sets up what waits, where it can be.
  private mutating func openNext(_ index: Int) {
    guard chip == .ready, let configuration, case .waiting(let shareable) = phones[index].session else {
      return
    }
    phones[index].session = .opening(shareable)
    let parameters = AccessorySessionParameters(
      side: .accessory, shareable: shareable, accessory: configuration.uwb,
      measuresDirection: measuresDirection, hopsWhenLost: hopsWhenLost)
    actions.append(.open(parameters.request))
  }

  // MARK: The chip

  /// The chip came up, for the first time or again.
  package mutating func chipReady(_ capabilities: UCICapabilities?, at now: Duration) {
    guard let made = AccessoryAbilities(capabilities).configuration(settings, address: address) else {
      return chipGone(at: now)
    }
    chip = .ready
    measuresDirection = capabilities.map { $0.measuresAzimuth && $0.measuresElevation } ?? false
    hopsWhenLost = capabilities?.hopsWhenLost ?? false
    sessionLimit = capabilities?.maxRangingSessions ?? .max
    if configuration != made {
      configuration = made
      actions.append(.serve(made.octets))
      report(.ready(made.octets))
    }
    for index in phones.indices {
      if phones[index].awaitsConfiguration { sendConfiguration(index) }
      openNext(index)
    }
  }

  /// The chip lost every session, and comes back by itself: what ran runs again then.
  package mutating func chipRecovering() {
    guard chip != .unsuitable else { return }
    chip = .starting
    for index in phones.indices { forgetOnChip(index, keepsSession: true) }
  }

  /// The chip is gone, or does not do.
  package mutating func chipGone(at now: Duration) {
    guard chip != .unsuitable else { return }
    chip = .unsuitable
    configuration = nil
    report(.unavailable)
    for index in phones.indices {
      if case .running = phones[index].session { report(.stopped(phones[index].phone, .byChip)) }
      if phones[index].session.shareable != nil { send(.didStop, to: phones[index].phone) }
      if phones[index].awaitsConfiguration { refuse(phones[index].phone, .chipUnsuitable) }
      phones[index].awaitsConfiguration = false
      forgetOnChip(index, keepsSession: false)
    }
  }

  /// A chip may come again after it was gone.
  package mutating func chipStarting() { if chip == .unsuitable { chip = .starting } }

  private mutating func forgetOnChip(_ index: Int, keepsSession: Bool) {
    phones[index].ranging?.deadline = nil
    switch phones[index].session {
    case .none: break
    case .waiting(let shareable), .opening(let shareable), .running(let shareable):
      phones[index].session = keepsSession ? .waiting(shareable) : .none
    case .closing(_, let next, let tellsStop):
      if tellsStop { send(.didStop, to: phones[index].phone) }
      phones[index].session = keepsSession ? next.map { .waiting($0) } ?? .none : .none
    }
  }

  package mutating func sessionState(
    _ id: UInt32, _ state: UCISessionState, _ reason: UCIReason, at now: Duration
  ) {
    guard let index = index(onChip: id) else { return }
    switch phones[index].session {
    case .opening(let shareable):
      if state == .active { return started(index, shareable, at: now) }
      // The IDLE that ends the configuration is by command.
      if state == .initialised || (state == .idle && reason == .byCommand) { return }
      refuse(phones[index].phone, .chipRefused)
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

  private mutating func started(_ index: Int, _ shareable: ShareableConfigurationData, at now: Duration) {
    let phone = phones[index].phone
    phones[index].session = .running(shareable)
    let isNew = phones[index].ranging == nil
    if isNew { phones[index].ranging = AccessoryRanging(phoneAddress: shareable.phoneAddress) }
    phones[index].ranging?.deadline = now + settings.silenceLimit
    // After a chip's ERROR the phone never knew that it had stopped.
    guard isNew else { return }
    send(.didStart, to: phone)
    report(.started(phone))
  }

  package mutating func sessionFailed(_ id: UInt32, at now: Duration) {
    guard let index = index(onChip: id) else { return }
    switch phones[index].session {
    case .opening:
      refuse(phones[index].phone, .chipRefused)
      endSession(index, .byChip, next: nil, tellsStop: true)
    case .closing: sessionClosed(id, at: now)
    // What was asked last did not happen; the session stays.
    case .running, .none, .waiting: break
    }
  }

  package mutating func sessionClosed(_ id: UInt32, at now: Duration) {
    guard let index = index(onChip: id), case .closing(_, let next, let tellsStop) = phones[index].session
    else { return }
    if tellsStop { send(.didStop, to: phones[index].phone) }
    phones[index].session = next.map { .waiting($0) } ?? .none
    openNext(index)
  }

  package mutating func measured(
    _ id: UInt32, _ measurements: [UCITwoWayMeasurement], at now: Duration
  ) {
    guard let index = index(onChip: id), case .running = phones[index].session else { return }
    guard phones[index].ranging?.take(measurements, silenceLimit: settings.silenceLimit, at: now) == true,
      let estimate = phones[index].ranging?.estimator.estimate(at: now)
    else { return }
    report(.measured(phones[index].phone, AccessoryMeasurement(estimate, at: now)))
  }

  // MARK: Time

  /// The earliest time at which `timePassed` has something to do.
  package var nextWake: Duration? { phones.compactMap(\.ranging?.deadline).min() }

  package mutating func timePassed(at now: Duration) {
    for index in phones.indices {
      guard let deadline = phones[index].ranging?.deadline, deadline <= now else { continue }
      endSession(index, .silence, next: nil, tellsStop: true)
    }
  }

  // MARK: Saying

  private mutating func send(_ message: AccessoryMessage, to phone: PhoneAtAccessory) {
    actions.append(.send(message.octets, to: phone))
  }

  private mutating func report(_ event: AccessoryEvent) { actions.append(.report(event)) }

  private mutating func refuse(_ phone: PhoneAtAccessory, _ refusal: AccessoryRefusal) {
    report(.refused(phone, refusal))
  }
}
