import NearbyBluetooth

/// The accessories that are set up, and how the app and the user change them.
extension AccessorySetupMachine {
  /// Which peers the app may see on Bluetooth; `nil` means all, because the app sets up no accessories.
  package var visiblePeers: Set<BluetoothPeer>? {
    guard usage != nil else { return nil }
    return Set(accessories.filter { $0.state != .unauthorized }.map(\.peer))
  }

  /// The app confirms an accessory that awaits it.
  package mutating func finishAuthorization(_ peer: BluetoothPeer, for user: SetupUser) -> SetupRequest {
    change(peer, for: user) { machine, index in
      guard machine.accessories[index].state == .awaitingAuthorization else { return .invalidRequest }
      machine.accessories[index].state = .authorized
      machine.actions.append(.store)
      machine.notifyAll(.changed(machine.accessories[index]))
      return nil
    }
  }

  /// The app refuses an accessory that awaits it, which is then no longer set up.
  package mutating func failAuthorization(_ peer: BluetoothPeer, for user: SetupUser) -> SetupRequest {
    change(peer, for: user) { machine, index in
      guard machine.accessories[index].state == .awaitingAuthorization else { return .invalidRequest }
      machine.remove(at: index)
      return nil
    }
  }

  package mutating func remove(_ peer: BluetoothPeer, for user: SetupUser) -> SetupRequest {
    change(peer, for: user) { machine, index in
      machine.remove(at: index)
      return nil
    }
  }

  /// The app changes with which descriptor an accessory is known.
  package mutating func updateAuthorization(
    _ peer: BluetoothPeer, _ descriptor: SetupDescriptor, for user: SetupUser
  ) -> SetupRequest {
    change(peer, for: user) { machine, index in
      guard descriptor.isValid, machine.usage?.covers(descriptor) == true else { return .invalidRequest }
      machine.accessories[index].descriptor = descriptor
      machine.actions.append(.store)
      machine.notifyAll(.changed(machine.accessories[index]))
      return nil
    }
  }

  /// The app asks the user for another name. The request is answered when the user has replied.
  package mutating func rename(_ peer: BluetoothPeer, for user: SetupUser) -> SetupRequest {
    let request = SetupRequest(number: makeNumber())
    if let failure = objection(toRenaming: peer, for: user) {
      actions.append(.answer(request, failure))
      return request
    }
    renaming = Renaming(user: user, request: request, peer: peer)
    actions.append(.questionChanged)
    return request
  }

  private func objection(toRenaming peer: BluetoothPeer, for user: SetupUser) -> SetupFailure? {
    guard active.contains(user) else { return .invalidated }
    guard accessories.contains(where: { $0.peer == peer }) else { return .invalidRequest }
    return picker == nil && renaming == nil ? nil : .pickerAlreadyActive
  }

  /// The device's user renames an accessory in Settings.
  package mutating func renameInSettings(_ peer: BluetoothPeer, to name: String) {
    guard let index = accessories.firstIndex(where: { $0.peer == peer }) else { return }
    accessories[index].name = name
    actions.append(.store)
    notifyAll(.changed(accessories[index]))
  }

  /// The device's user removes an accessory in Settings.
  package mutating func removeInSettings(_ peer: BluetoothPeer) {
    guard let index = accessories.firstIndex(where: { $0.peer == peer }) else { return }
    remove(at: index)
  }

  private mutating func remove(at index: Int) {
    var removed = accessories.remove(at: index)
    removed.state = .unauthorized
    if renaming?.peer == removed.peer { endRenaming(.invalidRequest) }
    actions.append(.store)
    notifyAll(.removed(removed))
  }

  /// Changes one accessory, and answers the request with the failure.
  private mutating func change(
    _ peer: BluetoothPeer, for user: SetupUser,
    _ body: (inout AccessorySetupMachine, Int) -> SetupFailure?
  ) -> SetupRequest {
    let request = SetupRequest(number: makeNumber())
    var failure: SetupFailure? = active.contains(user) ? .invalidRequest : .invalidated
    if failure == .invalidRequest, let index = accessories.firstIndex(where: { $0.peer == peer }) {
      failure = body(&self, index)
    }
    actions.append(.answer(request, failure))
    return request
  }
}
