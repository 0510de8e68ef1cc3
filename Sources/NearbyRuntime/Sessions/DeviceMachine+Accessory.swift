import NearbyUCI

/// The device as an accessory itself: its machine shares the chip's host with the sessions.
extension DeviceMachine {
  mutating func startAccessory(_ settings: AccessorySettings, address: UInt16, at now: Duration) {
    stopAccessory(at: now)
    accessorySide = [AccessoryMachine(settings: settings, address: address)]
    switch radio {
    case .absent: tellAccessory(at: now) { $0.chipGone(at: now) }
    case .starting: break
    case .ready: accessoryRadioReady(at: now)
    case .failed:
      radio = .starting
      perform(host.start(at: now), at: now)
    }
  }

  mutating func stopAccessory(at now: Duration) {
    tellAccessory(at: now) { $0.shutDown(at: now) }
    accessorySide = []
  }

  mutating func handleAccessory(_ input: AccessoryInput, at now: Duration) {
    tellAccessory(at: now) { accessory in
      switch input {
      case .connected(let phone): accessory.connected(phone, at: now)
      case .disconnected(let phone): accessory.disconnected(phone, at: now)
      case .message(let octets, let phone): accessory.received(octets, from: phone, at: now)
      case .stop(let phone): accessory.stop(phone, at: now)
      }
    }
  }

  mutating func accessoryRadioReady(at now: Duration) {
    let capabilities = host.capabilities
    tellAccessory(at: now) { $0.chipReady(capabilities, at: now) }
  }

  mutating func accessoryMeasured(_ chipID: UInt32, _ info: UCISessionInfo, at now: Duration) {
    guard case .twoWay(let measurements, _) = info.measurements else { return }
    tellAccessory(at: now) { $0.measured(chipID, measurements, at: now) }
  }

  /// - Returns: Whether the event was the accessory's alone.
  mutating func accessoryHeard(_ event: UCIHost.Event, at now: Duration) -> Bool {
    switch event {
    case .sessionFailed(let id, _) where accessorySide[0].owns(id):
      tellAccessory(at: now) { $0.sessionFailed(id, at: now) }
    case .sessionState(let id, let state, let reason) where accessorySide[0].owns(id):
      tellAccessory(at: now) { $0.sessionState(id, state, reason, at: now) }
    case .sessionClosed(let id) where accessorySide[0].owns(id):
      tellAccessory(at: now) { $0.sessionClosed(id, at: now) }
    case .sessionFailed, .sessionState, .sessionClosed, .sessionOpened, .ready, .bringUpFailed, .deviceState,
      .recovering, .measured, .controleesUpdated, .dataReceived, .dataSent, .undecodable, .other:
      return false
    }
    return true
  }

  /// Tells the accessory something and does what it wants done; nothing where the device is none.
  mutating func tellAccessory(at now: Duration, _ event: (inout AccessoryMachine) -> Void) {
    guard !accessorySide.isEmpty else { return }
    event(&accessorySide[0])
    // What the host says to what is done comes back here: the outer call goes on with it, in order.
    guard !isServingAccessory else { return }
    isServingAccessory = true
    defer { isServingAccessory = false }
    while !accessorySide.isEmpty {
      let wanted = accessorySide[0].takeActions()
      if wanted.isEmpty { return }
      for action in wanted { perform(action, at: now) }
    }
  }

  private mutating func perform(_ action: AccessoryMachine.Action, at now: Duration) {
    switch action {
    case .send(let octets, let phone): actions.append(.accessory(.send(octets, to: phone)))
    case .serve(let octets): actions.append(.accessory(.serve(octets)))
    case .report(let event): actions.append(.accessory(.report(event)))
    case .open(let request): perform(host.openSession(request, at: now), at: now)
    case .close(let id): perform(host.closeSession(id, at: now), at: now)
    }
  }
}
