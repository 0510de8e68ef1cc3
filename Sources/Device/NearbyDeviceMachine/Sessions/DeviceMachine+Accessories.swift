import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyUCI

/// Sessions with accessories: the phone's side.
extension DeviceMachine {
  /// The background modes that an app declares to continue ranging with accessories in the background.
  /// Source: Apple, "Implementing spatial interactions with third-party accessories".
  package static let backgroundModesForAccessories: Set<String> = ["nearby-interaction", "bluetooth-central"]

  /// Time for the shareable data to reach the accessory: one to two connection intervals of Bluetooth, which
  /// Apple's "Accessory Design Guidelines" require in multiples of 15 ms. Rounds before that would be missed,
  /// and the next round is a block later.
  private static let messageTime = Duration.milliseconds(45)

  // MARK: Setting up

  /// What a session ranges by: with a peer both tokens decide, with an accessory the phone alone.
  ///
  /// - Returns: Terms for ranging that begins with an accessory, `nil` otherwise.
  mutating func agreement(
    _ index: Int, _ configuration: PeerConfiguration
  ) -> (PairAgreement, AccessoryTerms?) {
    // The chip lost the session: the other side still ranges by the same agreement.
    if case .ranging(let ranging) = sessions[index].phase { return (ranging.value.agreement, nil) }
    guard let target = configuration.accessory else {
      return (PairAgreement(own: sessions[index].identity, peer: configuration.peer), nil)
    }
    accessoryRuns += 1
    let terms = AccessoryTerms(
      session: sessions[index].identity, target: target, run: accessoryRuns,
      hopsWhenLost: host.capabilities?.hopsWhenLost == true)
    sessions[index].deferredEvents = sessions[index].deferredEvents ?? []
    return (terms.agreement, terms)
  }

  /// Gives the app the data that its accessory needs, and the accessory time to take part.
  mutating func shareConfiguration(_ index: Int, at now: Duration) {
    let deadline = now + settings.accessoryStartWindow
    let octets = sessions[index].updateRanging { ranging in
      ranging.accessory?.value.startDeadline = deadline
      return ranging.accessory?.value.terms.shareable.octets
    }
    if let octets { deliver(index, .shareable(octets)) }
  }

  /// The chip has the session. Where the phone begins the rounds, it waits until the accessory can hear them.
  ///
  /// - Returns: Whether the phone begins the rounds; then the session counts as started.
  mutating func scheduleRounds(_ index: Int, at now: Duration) -> Bool {
    let isScheduled = sessions[index].updateRanging { ranging in
      guard ranging.accessory?.value.terms.isPhoneInitiator == true else { return false }
      // After the chip recovered, the accessory is ranging already.
      ranging.accessory?.value.roundsStart = ranging.hasReportedRunning ? now : now + Self.messageTime
      return true
    }
    return isScheduled == true
  }

  /// Begins the rounds that a phone has to begin, when they are due.
  mutating func startRounds(_ index: Int, at now: Duration) {
    let chipID = sessions[index].updateRanging { ranging -> UInt32? in
      guard let start = ranging.accessory?.value.roundsStart, start <= now else { return nil }
      ranging.accessory?.value.roundsStart = nil
      return ranging.agreement.sessionID
    }
    if let chipID { perform(host.startSession(chipID, at: now), at: now) }
  }

  func accessoryRefusal(of target: AccessoryTarget) -> SessionFailure? {
    guard let peer = target.bluetoothPeer, accessoryLinks[peer] == nil else { return nil }
    return .accessoryPeerDeviceUnavailable
  }

  /// Removes an accessory that was sent its configuration and did not start.
  mutating func checkStart(_ index: Int, at now: Duration) {
    let isOverdue = sessions[index].updateRanging { ranging in
      guard let deadline = ranging.accessory?.value.startDeadline else { return false }
      guard ranging.contact == nil else {
        ranging.accessory?.value.startDeadline = nil
        return false
      }
      return deadline <= now
    }
    if isOverdue == true { remove(index, .timeout, at: now) }
  }

  // MARK: Background

  /// Whether a session continues while its app is in the background.
  ///
  /// The app must have declared the background modes, and the accessory must be known on Bluetooth, paired
  /// and connected, with the session's configuration data in its Nearby Interaction service.
  /// Source: Apple, `NINearbyAccessoryConfiguration.init(accessoryData:bluetoothPeerIdentifier:)`.
  func rangesInBackground(_ index: Int) -> Bool {
    guard let target = sessions[index].configuration?.accessory, let peer = target.bluetoothPeer,
      backgroundModes.isSuperset(of: Self.backgroundModesForAccessories)
    else { return false }
    return accessoryLinks[peer]?.configuration == target.octets
  }

  /// Whether it is unknown yet if a session may range in the background: its accessory's service is being
  /// read.
  func awaitsService(_ index: Int) -> Bool {
    guard !isInForeground, let peer = sessions[index].configuration?.accessory?.bluetoothPeer,
      backgroundModes.isSuperset(of: Self.backgroundModesForAccessories), let link = accessoryLinks[peer]
    else { return false }
    return link.configuration == nil
  }

  /// Receives the state of an accessory on Bluetooth; `nil` while it is not paired and connected.
  mutating func setLink(_ peer: BluetoothPeer, _ state: AccessoryLinkState?, at now: Duration) {
    accessoryLinks[peer] = state
    guard !isInForeground, state == nil || state?.configuration != nil else { return }
    for index in sessions.indices where sessions[index].usesRadio {
      guard let configuration = sessions[index].configuration,
        configuration.accessory?.bluetoothPeer == peer
      else { continue }
      if !rangesInBackground(index) {
        suspend(index, at: now)
      } else if sessions[index].isAwaitingRadio {
        openRanging(index, configuration, at: now)
      }
    }
  }

  /// Keeps an event for the app's return to the foreground.
  ///
  /// In the background an app with an accessory gets only the data that the accessory needs to take part, for
  /// which Bluetooth woke the app.
  ///
  /// - Returns: Whether the event is not delivered now: it was kept, or will be outdated by then.
  mutating func postpones(_ event: SessionEvent, _ index: Int) -> Bool {
    guard var deferred = sessions[index].deferredEvents,
      sessions[index].configuration?.accessory?.bluetoothPeer != nil
    else { return false }
    switch event {
    case .shareable: return false
    case .invalidated:
      sessions[index].deferredEvents = []
      return false
    case .updated, .anchorsHeard, .assisted, .convergence, .sounds: return true
    case .startedRunning:
      // The app never learned that the session had stopped.
      deferred.removeAll { $0 == .suspended || $0 == .startedRunning }
    case .suspended, .removed, .suspensionEnded: break
    }
    deferred.append(event)
    sessions[index].deferredEvents = deferred
    return true
  }

  /// Delivers what was kept while the app was in the background.
  mutating func deliverDeferred(_ index: Int) {
    guard let deferred = sessions[index].deferredEvents, !deferred.isEmpty else { return }
    sessions[index].deferredEvents = []
    for event in deferred { deliver(index, event) }
  }
}
