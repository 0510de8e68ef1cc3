import NearbyUCI

/// The device as an accessory itself: its machine shares the chip's host with the sessions.
extension DeviceMachine {
  mutating func startAccessory(_ settings: AccessorySettings, address: UInt16, at now: Duration) {
    stopAccessory(at: now)
    accessorySide = Boxed(OwnAccessory(AccessoryMachine(settings: settings, address: address)))
    switch radio {
    case .absent: notifyAccessory(at: now) { $0.chipGone(at: now) }
    case .starting: break
    case .ready: accessoryRadioReady(at: now)
    case .failed:
      radio = .starting
      perform(host.start(at: now), at: now)
    }
  }

  mutating func stopAccessory(at now: Duration) {
    notifyAccessory(at: now) { $0.shutDown(at: now) }
    accessorySide = nil
  }

  mutating func handleAccessory(_ input: AccessoryInput, at now: Duration) {
    notifyAccessory(at: now) { accessory in
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
    notifyAccessory(at: now) { $0.chipReady(capabilities, at: now) }
  }

  mutating func accessoryMeasured(_ chipID: UInt32, _ info: UCISessionInfo, at now: Duration) {
    guard case .twoWay(let measurements, _) = info.measurements else { return }
    notifyAccessory(at: now) { $0.measured(chipID, measurements, at: now) }
  }

  /// - Returns: Whether the event was for the accessory alone.
  mutating func deliverToAccessory(_ event: UCIHost.Event, at now: Duration) -> Bool {
    switch event {
    case .sessionFailed(let id, _) where accessoryOwns(id):
      notifyAccessory(at: now) { $0.sessionFailed(id, at: now) }
    case .sessionState(let id, let state, let reason) where accessoryOwns(id):
      notifyAccessory(at: now) { $0.sessionState(id, state, reason, at: now) }
    case .sessionClosed(let id) where accessoryOwns(id):
      notifyAccessory(at: now) { $0.sessionClosed(id, at: now) }
    case .sessionFailed, .sessionState, .sessionClosed, .sessionOpened, .ready, .bringUpFailed, .deviceState,
      .recovering, .measured, .controleesUpdated, .dataReceived, .dataSent, .undecodable, .other:
      return false
    }
    return true
  }

  private func accessoryOwns(_ chipID: UInt32) -> Bool {
    accessorySide?.value.machine.owns(chipID) == true
  }

  /// Feeds the accessory an event and performs what it asks for; no effect where the device is no accessory.
  mutating func notifyAccessory(at now: Duration, _ event: (inout AccessoryMachine) -> Void) {
    // An event that the accessory's own actions caused: the outer call performs what follows from it, in
    // order.
    guard accessorySide?.value.update(event) == true else { return }
    while let next = accessorySide?.value.nextActions(), !next.isEmpty {
      for action in next { perform(action, at: now) }
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
