import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyUCI

/// What a session keeps that ranges with an accessory.
struct AccessorySession: Sendable {
  var terms: AccessoryTerms
  /// When the phone begins the rounds, where it does.
  var roundsStart: Duration?
  /// When an accessory that was told how to take part, and does not, is given up.
  var startDeadline: Duration?
  /// What the app hears once it is in the foreground again.
  var held: [SessionEvent] = []

  /// Ranging ends: nothing is waited for.
  mutating func stop() {
    roundsStart = nil
    startDeadline = nil
  }
}

/// Sessions with accessories: the phone's side.
extension DeviceMachine {
  /// The background modes that an app declares to go on ranging with accessories in the background.
  static let backgroundModesForAccessories: Set<String> = ["nearby-interaction", "bluetooth-central"]

  /// A message takes one to two intervals of Bluetooth: rounds before that would meet nobody, and the next one
  /// comes a whole block later.
  private static let messageTime = Duration.milliseconds(45)

  // MARK: Setting up

  /// What a session ranges by: with a peer both tokens settle it, with an accessory the phone alone.
  mutating func agreement(_ index: Int, _ configuration: PeerConfiguration) -> PairAgreement {
    // After a chip's ERROR there is one already; an accessory ranges by it.
    if let ranging = sessions[index].ranging { return ranging.agreement }
    guard let target = configuration.accessory else {
      return PairAgreement(own: sessions[index].identity, peer: configuration.peer)
    }
    accessoryRuns += 1
    let terms = AccessoryTerms(
      session: sessions[index].identity, target: target, run: accessoryRuns,
      hopsWhenLost: host.capabilities?.hopsWhenLost == true)
    accessories[sessions[index].id, default: AccessorySession(terms: terms)].terms = terms
    return terms.agreement
  }

  /// Gives the app what its accessory needs, and the accessory its time.
  mutating func shareConfiguration(_ index: Int, at now: Duration) {
    let id = sessions[index].id
    guard let terms = accessories[id]?.terms else { return }
    accessories[id]?.startDeadline = now + settings.accessoryStartWindow
    deliver(index, .shareable(terms.shareable.octets))
  }

  /// The chip has the session; where the phone begins the rounds it waits for the accessory, and for the app that
  /// is running.
  ///
  /// - Returns: Whether that is all there is to wait for.
  mutating func openedForAccessory(_ index: Int, at now: Duration) -> Bool {
    let id = sessions[index].id
    guard let terms = accessories[id]?.terms, terms.isPhoneInitiator else { return false }
    let isAgain = sessions[index].ranging?.isToldRunning == true
    accessories[id]?.roundsStart = isAgain ? now : now + Self.messageTime
    return true
  }

  /// Begins the rounds that a phone has to begin.
  mutating func startRounds(_ index: Int, at now: Duration) {
    let id = sessions[index].id
    guard let start = accessories[id]?.roundsStart, start <= now else { return }
    accessories[id]?.roundsStart = nil
    guard let chipID = sessions[index].chipID else { return }
    perform(host.startSession(chipID, at: now), at: now)
  }

  func accessoryRefusal(of target: AccessoryTarget) -> SessionFailure? {
    guard let peer = target.bluetoothPeer, accessoryLinks[peer] == nil else { return nil }
    return .accessoryPeerDeviceUnavailable
  }

  /// An accessory that was told how to take part did not.
  mutating func checkStart(_ index: Int, at now: Duration) {
    let id = sessions[index].id
    guard let deadline = accessories[id]?.startDeadline else { return }
    if sessions[index].ranging?.lastHeard != nil {
      accessories[id]?.startDeadline = nil
    } else if deadline <= now {
      remove(index, .timeout, at: now)
    }
  }

  /// Between two rounds of a session.
  func interval(_ id: SessionID) -> Duration {
    if !accessories.isEmpty, let accessory = accessories[id] { return accessory.terms.interval }
    return .milliseconds(Int64(settings.rangingIntervalMilliseconds))
  }

  // MARK: Background

  /// Whether a session goes on while its app is in the background.
  ///
  /// Its accessory must be known on Bluetooth, paired and connected, and have the configuration data that the
  /// session runs with in its Nearby Interaction service; the app must have declared that it ranges then.
  func rangesInBackground(_ index: Int) -> Bool {
    guard let target = sessions[index].configuration?.accessory, let peer = target.bluetoothPeer,
      backgroundModes.isSuperset(of: Self.backgroundModesForAccessories)
    else { return false }
    return accessoryLinks[peer]?.configuration == target.octets
  }

  /// Whether it is not known yet if a session may range in the background: its accessory's service is being read.
  func awaitsService(_ index: Int) -> Bool {
    guard !isInForeground, let peer = sessions[index].configuration?.accessory?.bluetoothPeer,
      backgroundModes.isSuperset(of: Self.backgroundModesForAccessories), let link = accessoryLinks[peer]
    else { return false }
    return link.configuration == nil
  }

  /// Takes what is known of an accessory on Bluetooth; `nil` while it is not paired and connected.
  mutating func setLink(_ peer: BluetoothPeer, _ state: AccessoryLinkState?, at now: Duration) {
    accessoryLinks[peer] = state
    guard !isInForeground, state == nil || state?.configuration != nil else { return }
    for index in sessions.indices where sessions[index].configuration?.accessory?.bluetoothPeer == peer {
      guard ranges(index) else { continue }
      if !rangesInBackground(index) {
        suspend(index, at: now)
      } else if sessions[index].phase == .awaitingRadio {
        openRanging(index, at: now)
      }
    }
  }

  private func ranges(_ index: Int) -> Bool {
    switch sessions[index].phase {
    case .awaitingRadio, .opening, .running: true
    case .idle, .awaitingPermission, .suspended, .invalidated: false
    }
  }

  /// In the background an app is told nothing but how its accessory takes part, for which Bluetooth woke it.
  ///
  /// - Returns: Whether the event was kept, or is of no use any more by the time the app hears it.
  mutating func holds(_ event: SessionEvent, _ index: Int) -> Bool {
    let id = sessions[index].id
    guard !isInForeground, accessories[id] != nil,
      sessions[index].configuration?.accessory?.bluetoothPeer != nil
    else { return false }
    switch event {
    case .shareable: return false
    case .invalidated:
      accessories[id]?.held = []
      return false
    case .updated, .assisted, .convergence: return true
    case .startedRunning:
      // The session runs again before the app knows that it did not.
      accessories[id]?.held.removeAll { $0 == .suspended || $0 == .startedRunning }
    case .suspended, .removed, .suspensionEnded: break
    }
    accessories[id]?.held.append(event)
    return true
  }

  /// Tells what the app was not told in the background.
  mutating func releaseHeld(_ index: Int) {
    guard !accessories.isEmpty, let held = accessories[sessions[index].id]?.held, !held.isEmpty else {
      return
    }
    accessories[sessions[index].id]?.held = []
    for event in held { deliver(index, event) }
  }
}
