import NearbyBluetooth

/// The accessories that a device's user has set up for the app, and the picker with which this is done.
///
/// An app declares in its `Info.plist` which accessories it sets up. A session that activates learns which are set up
/// already. It then shows a picker with display items; the device scans, and what matches an item is offered to the
/// user, who chooses one or cancels. The app sees only accessories that were chosen, and is never asked for
/// Bluetooth.
///
/// **In:** the app's calls, sightings from the scan, the user's choice, and the end of the time for discovery.
/// **Out:** actions, which the host executes in their order: events for sessions, answers to requests, and changes of
/// the scan and of what the app may see.
///
/// **Invariants:** at most one picker is open, and the scan runs only while one is; each request is answered exactly
/// once; accessories outlast sessions and launches of the app.
package struct AccessorySetupMachine: Sendable {
  package enum Action: Equatable, Sendable {
    case notify(SetupUser, SetupEvent)
    case answer(SetupRequest, SetupFailure?)
    case startScan
    case stopScan
    /// The app changed what the open picker offers.
    case offersChanged
    /// Wait for the time that discovery may take, then call `discoveryEnded`.
    case awaitDiscovery(SetupRequest, Duration)
    /// The accessories have changed.
    case store
  }

  private struct Picker: Sendable {
    let user: SetupUser
    let request: SetupRequest
    let items: [SetupItem]
    /// Whether the app decides what is shown.
    let isFiltered: Bool
    var candidates: [SetupCandidate] = []
    /// What was reported to an app that decides what is shown.
    var discovered: [BluetoothPeer: BluetoothSighting] = [:]

    /// Whether there is nothing to look for: the user only confirms what the app used before.
    var isMigration: Bool { items.allSatisfy { $0.migrates != nil } }
  }

  /// What the app declares; `nil` if it declares nothing, so that it has no set-up and ordinary Bluetooth.
  package var usage: SetupUsage?
  /// In the order in which they were set up.
  package private(set) var accessories: [SetUpAccessory] = []
  /// The name that the device's user types when asked for one; `nil` declines.
  package var typedName: String?
  private var active: Set<SetupUser> = []
  private var picker: Picker?
  private var numbersMade = 0
  private var actions: [Action] = []

  /// How long discovery may take until something is found. Source: Apple's documentation of
  /// `ASPickerDisplaySettings`.
  package static let usualDiscoveryTime = Duration.seconds(30)
  /// Number of offers in one picker; more are ignored.
  static let mostCandidates = 100

  package init(usage: SetupUsage? = nil, accessories: [SetUpAccessory] = []) {
    self.usage = usage
    self.accessories = accessories
  }

  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  private mutating func makeNumber() -> Int {
    numbersMade &+= 1
    return numbersMade
  }

  // MARK: Sessions

  package mutating func makeUser() -> SetupUser { SetupUser(number: makeNumber()) }

  package mutating func activate(_ user: SetupUser) {
    guard usage != nil else {
      actions.append(.notify(user, .invalidated(.activationFailed)))
      return
    }
    guard active.insert(user).inserted else { return }
    actions.append(.notify(user, .activated))
  }

  package mutating func invalidate(_ user: SetupUser) {
    guard active.contains(user) else { return }
    if picker?.user == user { closePicker(.invalidated) }
    active.remove(user)
    actions.append(.notify(user, .invalidated(nil)))
  }

  /// The session is gone; its sink receives nothing more.
  package mutating func release(_ user: SetupUser) {
    if picker?.user == user { closePicker(.invalidated) }
    active.remove(user)
  }

  /// The app's process has ended.
  package mutating func endLaunch() {
    if picker != nil { actions.append(.stopScan) }
    picker = nil
    active = []
  }

  // MARK: The picker

  /// What the open picker offers, in the order of discovery; `nil` if no picker is open.
  package var candidates: [SetupCandidate]? { picker?.candidates }

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
    actions += [.notify(user, .pickerDidPresent), .startScan]
    if let time, !picker.isMigration { actions.append(.awaitDiscovery(request, time)) }
    return request
  }

  private func objection(to items: [SetupItem], of user: SetupUser) -> SetupFailure? {
    guard let usage, active.contains(user) else { return .invalidated }
    if picker != nil { return .pickerAlreadyActive }
    let areValid = items.allSatisfy {
      $0.migrates != nil || $0.descriptor.isValid && usage.covers($0.descriptor)
    }
    return items.isEmpty || !areValid ? .invalidRequest : nil
  }

  package mutating func sighted(_ sighting: BluetoothSighting) {
    guard var picker, picker.candidates.count + picker.discovered.count < Self.mostCandidates else { return }
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
  }

  /// The user chooses one of `candidates`.
  ///
  /// - Returns: Whether the picker offers it.
  package mutating func choose(_ peer: BluetoothPeer) -> Bool {
    guard let picker, let chosen = picker.candidates.first(where: { $0.peer == peer }) else { return false }
    let name = chosen.item.allowsRename ? typedName ?? chosen.name : chosen.name
    let accessory = SetUpAccessory(
      peer: peer, name: name, descriptor: chosen.item.descriptor,
      state: chosen.item.needsConfirmation ? .awaitingAuthorization : .authorized)
    accessories.append(accessory)
    actions += [.store, .notify(picker.user, .pickerSetupPairing(accessory))]
    if chosen.item.allowsRename { actions.append(.notify(picker.user, .pickerSetupRename(accessory))) }
    notifyAll(.added(accessory))
    migrate()
    closePicker(nil)
    return true
  }

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
    actions += [.answer(request, nil), .offersChanged]
    return request
  }

  /// The app needs no further discoveries. A picker that shows nothing then closes.
  package mutating func finishDiscovery(for user: SetupUser) -> SetupRequest {
    let request = SetupRequest(number: makeNumber())
    guard let picker, picker.user == user, picker.isFiltered else {
      actions.append(.answer(request, active.contains(user) ? .invalidRequest : .invalidated))
      return request
    }
    actions += [.answer(request, nil), .stopScan]
    if picker.candidates.isEmpty { closePicker(.discoveryTimeout) }
    return request
  }

  /// The user closes the picker.
  package mutating func cancelPicker() { if picker != nil { closePicker(.userCancelled) } }

  /// The time for discovery is over.
  package mutating func discoveryEnded(_ request: SetupRequest) {
    guard let picker, picker.request == request, picker.candidates.isEmpty else { return }
    closePicker(.discoveryTimeout)
  }

  private mutating func closePicker(_ failure: SetupFailure?) {
    guard let picker = picker.take() else { return }
    actions += [.stopScan, .notify(picker.user, .pickerDidDismiss), .answer(picker.request, failure)]
  }

  private mutating func notifyAll(_ event: SetupEvent) {
    for user in active.sorted(by: { $0.number < $1.number }) { actions.append(.notify(user, event)) }
  }

  // MARK: What is set up

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

  /// The app asks the user for another name.
  package mutating func rename(_ peer: BluetoothPeer, for user: SetupUser) -> SetupRequest {
    change(peer, for: user) { machine, index in
      guard let name = machine.typedName else { return .userCancelled }
      machine.accessories[index].name = name
      machine.actions.append(.store)
      machine.notifyAll(.changed(machine.accessories[index]))
      return nil
    }
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
