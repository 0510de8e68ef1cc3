import NearbyBluetooth

/// The picker: what the app shows, what the device finds, and how it closes.
extension AccessorySetupMachine {
  /// What the open picker offers, in the order of discovery; `nil` if no picker offers anything to choose from.
  package var candidates: [SetupCandidate]? { picker.flatMap { $0.isOffering ? $0.candidates : nil } }

  /// Shows the picker.
  ///
  /// - Parameters:
  ///   - time: How long discovery may take until something is found; `nil` is without limit.
  ///   - isFiltered: Whether only what the app passes to `update` is shown.
  /// - Returns: The request, which is answered when the picker closes.
  package mutating func showPicker(
    _ items: [SetupItem], for user: SetupUser, time: Duration? = usualDiscoveryTime,
    isFiltered: Bool = false
  ) -> SetupRequest {
    let request = SetupRequest(number: makeNumber())
    if let failure = objection(to: items, of: user) {
      actions.append(.answer(request, failure))
      return request
    }
    let picker = Picker(user: user, request: request, items: items, isFiltered: isFiltered)
    self.picker = picker
    actions += [.notify(user, .pickerDidPresent), .startBluetooth, .questionChanged]
    if let time, !picker.isMigration { actions.append(.wait(.discovery(request), time)) }
    return request
  }

  private func objection(to items: [SetupItem], of user: SetupUser) -> SetupFailure? {
    guard let usage, active.contains(user) else { return .invalidated }
    if picker != nil || renaming != nil { return .pickerAlreadyActive }
    let areValid = items.allSatisfy {
      $0.migrates != nil || $0.descriptor.isValid && usage.covers($0.descriptor)
    }
    return items.isEmpty || !areValid ? .invalidRequest : nil
  }

  // MARK: Discovery

  /// Receives an event of the system's Bluetooth.
  package mutating func received(_ event: BluetoothEvent) {
    switch event {
    case .sighted(let sighting): sighted(sighting)
    case .connected(let peer):
      if picker?.pairing?.accessory.peer == peer { actions.append(.bluetooth(.pair(peer))) }
    case .paired(let peer, let failure): paired(peer, isPaired: failure == nil)
    case .notConnected(let peer, _), .disconnected(let peer, _): paired(peer, isPaired: false)
    case .state, .restored, .discovered, .read, .notified, .wrote, .notifying, .rssi, .readyToWrite,
      .servicesChanged, .nameChanged, .sounded, .soundingEnded, .added, .advertising, .subscribed,
      .unsubscribed, .readRequest, .writeRequest, .readyToUpdate, .centralGone:
      break
    }
  }

  package mutating func sighted(_ sighting: BluetoothSighting) {
    guard var picker, picker.isOffering,
      picker.candidates.count + picker.discovered.count < Self.mostCandidates
    else { return }
    let isKnown =
      picker.candidates.contains { $0.peer == sighting.peer }
      || accessories.contains { $0.peer == sighting.peer } || picker.discovered[sighting.peer] != nil
    guard !isKnown else { return }
    let item = picker.items.first {
      $0.migrates == nil && $0.descriptor.matches(sighting.advertisement, power: sighting.rssi)
    }
    guard let item else { return }
    if picker.isFiltered {
      picker.discovered[sighting.peer] = sighting
      self.picker = picker
      actions.append(.notify(picker.user, .discovered(sighting)))
      return
    }
    picker.candidates.append(
      SetupCandidate(
        peer: sighting.peer, name: item.name, advertisedName: sighting.advertisement.name, item: item))
    self.picker = picker
    actions.append(.questionChanged)
  }

  /// The app shows what it chose of the discovered accessories.
  package mutating func updatePicker(
    showing items: [(peer: BluetoothPeer, item: SetupItem)], for user: SetupUser
  ) -> SetupRequest {
    let request = SetupRequest(number: makeNumber())
    guard let known = picker, known.user == user, known.isFiltered,
      items.allSatisfy({ known.discovered[$0.peer] != nil })
    else {
      actions.append(.answer(request, active.contains(user) ? .invalidRequest : .invalidated))
      return request
    }
    picker?.candidates = items.prefix(Self.mostCandidates).map { shown in
      SetupCandidate(
        peer: shown.peer, name: shown.item.name,
        advertisedName: known.discovered[shown.peer]?.advertisement.name, item: shown.item)
    }
    actions += [.answer(request, nil), .questionChanged]
    return request
  }

  /// The app needs no further discoveries. A picker that shows nothing then closes.
  package mutating func finishDiscovery(for user: SetupUser) -> SetupRequest {
    let request = SetupRequest(number: makeNumber())
    guard let picker, picker.user == user, picker.isFiltered else {
      actions.append(.answer(request, active.contains(user) ? .invalidRequest : .invalidated))
      return request
    }
    actions += [.answer(request, nil), .bluetooth(.stopScan)]
    if picker.isOffering, picker.candidates.isEmpty { closePicker(.discoveryTimeout) }
    return request
  }

  /// A wait is over.
  package mutating func waited(_ wait: SetupWait) {
    guard let picker else { return }
    switch wait {
    case .discovery(let request):
      guard picker.request == request, picker.isOffering, picker.candidates.isEmpty else { return }
      closePicker(.discoveryTimeout)
    case .pairing(let request):
      guard picker.request == request, let peer = picker.pairing?.accessory.peer else { return }
      paired(peer, isPaired: false)
    }
  }

  // MARK: The chosen accessory

  /// The user chooses one of `candidates`.
  ///
  /// - Returns: Whether the picker offers it.
  package mutating func choose(_ peer: BluetoothPeer) -> Bool {
    guard let picker, let chosen = candidates?.first(where: { $0.peer == peer }) else { return false }
    let accessory = SetUpAccessory(
      peer: peer, name: chosen.name, descriptor: chosen.item.descriptor,
      state: chosen.item.needsConfirmation ? .awaitingAuthorization : .authorized)
    actions.append(.notify(picker.user, .pickerSetupPairing(accessory)))
    guard accessory.descriptor.pairs else {
      prepare(accessory, chosen.item)
      return true
    }
    self.picker?.phase = .pairing(accessory, chosen.item)
    actions += [
      .bluetooth(.stopScan), .bluetooth(.connect(peer)), .wait(.pairing(picker.request), Self.pairingTime),
      .questionChanged,
    ]
    return true
  }

  /// The pairing of the open picker has ended; no-op if it pairs with another peer or none.
  private mutating func paired(_ peer: BluetoothPeer, isPaired: Bool) {
    guard let picker, let (accessory, item) = picker.pairing, accessory.peer == peer else { return }
    guard isPaired else {
      actions.append(.notify(picker.user, .pickerSetupFailed(accessory)))
      return closePicker(.connectionFailed)
    }
    // The app connects by itself.
    actions.append(.bluetooth(.disconnect(peer)))
    prepare(accessory, item)
  }

  /// Has the user name the accessory if its item allows that, and sets it up.
  private mutating func prepare(_ accessory: SetUpAccessory, _ item: SetupItem) {
    picker?.phase = .naming(accessory)
    guard let picker, item.allowsRename else { return complete(accessory) }
    actions += [.notify(picker.user, .pickerSetupRename(accessory)), .questionChanged]
  }

  private mutating func complete(_ accessory: SetUpAccessory) {
    accessories.append(accessory)
    actions.append(.store)
    notifyAll(.added(accessory))
    migrate()
    closePicker(nil)
  }

  /// The user types a name; `nil` keeps the name that there is.
  package mutating func named(_ name: String?) {
    let name = name.flatMap { SetupName.usable($0, longest: Self.longestName) }
    if case .naming(var accessory)? = picker?.phase {
      accessory.name = name ?? accessory.name
      complete(accessory)
    } else if let renaming {
      if let name, let index = accessories.firstIndex(where: { $0.peer == renaming.peer }) {
        accessories[index].name = name
        actions.append(.store)
        notifyAll(.changed(accessories[index]))
      }
      endRenaming(name == nil ? .userCancelled : nil)
    }
  }

  // MARK: Migration

  /// Whether the open picker only asks the user to confirm what the app used before.
  package var awaitsMigration: Bool { picker?.isMigration == true }

  /// The user agrees to what the app used before.
  package mutating func confirmMigration() {
    guard awaitsMigration else { return }
    migrate()
    closePicker(nil)
  }

  /// Sets up the accessories of the picker's migration items.
  private mutating func migrate() {
    guard let picker else { return }
    let items = picker.items.filter { $0.migrates != nil }
    guard !items.isEmpty else { return }
    for item in items {
      guard let peer = item.migrates, !accessories.contains(where: { $0.peer == peer }) else { continue }
      let accessory = SetUpAccessory(
        peer: peer, name: item.name, descriptor: item.descriptor, state: .authorized)
      accessories.append(accessory)
      actions.append(.store)
      notifyAll(.added(accessory))
    }
    notifyAll(.migrationComplete)
  }

  // MARK: The end

  /// The user closes the picker.
  package mutating func cancelPicker() { if picker != nil { closePicker(.userCancelled) } }

  mutating func closePicker(_ failure: SetupFailure?) {
    guard let picker = picker.take() else { return }
    if let peer = picker.pairing?.accessory.peer { actions.append(.bluetooth(.disconnect(peer))) }
    actions += [
      .stopBluetooth, .questionChanged, .notify(picker.user, .pickerDidDismiss),
      .answer(picker.request, failure),
    ]
  }

  mutating func endRenaming(_ failure: SetupFailure?) {
    guard let renaming = renaming.take() else { return }
    actions += [.questionChanged, .answer(renaming.request, failure)]
  }
}
