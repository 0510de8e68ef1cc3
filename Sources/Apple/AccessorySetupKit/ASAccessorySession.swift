import Dispatch
import Foundation
import NearbyAccessorySetup
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// The app's connection to the accessories that the user sets up for it.
///
/// A session belongs to the device that is current when it is created. Accessories can be set up in simulated worlds
/// only; elsewhere a session that activates is invalidated with `ASError.activationFailed`.
///
/// Source: Apple's documentation of `ASAccessorySession`.
open class ASAccessorySession: NSObject, @unchecked Sendable {
  private struct Contents: Sendable {
    var queue: DispatchQueue?
    var handler: (@Sendable (ASAccessoryEvent) -> Void)?
    var accessories: [BluetoothPeer: ASAccessory] = [:]
    // Set and read by the app, which must not share it between threads.
    var settings: UncheckedSendable<ASPickerDisplaySettings?>
  }

  // All mutable state is behind this lock.
  private let contents = Mutex(Contents(settings: UncheckedSendable(nil)))
  private let device: NearbyDevice
  private let relay = SetupRelay()
  /// `nil` where accessories can't be set up.
  private let user: SetupUser?

  /// Creates a session for the current device.
  public override init() {
    device = NearbyDevice.bound(for: "ASAccessorySession")
    user = device.accessorySetup?.makeUser(relay)
    super.init()
    relay.attach(self)
  }

  deinit { if let user { device.accessorySetup?.release(user) } }

  /// Activates the session; `.activated` follows.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the handlers of this session are called.
  ///   - eventHandler: Receives the session's events, in order. The session keeps it until it is invalidated.
  open func activate(on queue: DispatchQueue, eventHandler: @escaping (ASAccessoryEvent) -> Void) {
    // Called on the app's own queue only.
    let handler = UncheckedSendable(eventHandler)
    contents.withLock {
      $0.queue = queue
      $0.handler = { handler.value($0) }
    }
    guard let user, let setup = device.accessorySetup else {
      return later { $0.report(.invalidated(.activationFailed)) }
    }
    setup.perform { $0.activate(user) }
  }

  /// Ends the session; `.invalidated` follows.
  open func invalidate() {
    guard let user else { return }
    device.accessorySetup?.perform { $0.invalidate(user) }
  }

  /// The accessories that are set up, in the order in which this was done.
  open var accessories: [ASAccessory] {
    (device.accessorySetup?.accessories ?? []).map { accessory($0) }
  }

  /// How pickers look for accessories; `nil` means the usual settings.
  open var pickerDisplaySettings: ASPickerDisplaySettings? {
    get { contents.withLock { $0.settings.value } }
    set {
      let new = UncheckedSendable(newValue)  // As above.
      contents.withLock { $0.settings = new }
    }
  }

  // MARK: The picker

  /// Shows a picker for accessories.
  ///
  /// - Parameters:
  ///   - displayItems: What to look for; declared in the app's `Info.plist`.
  ///   - completionHandler: Called when the picker has closed: with `nil` after an accessory was set up, otherwise with
  ///     an `ASError`.
  open func showPicker(
    for displayItems: [ASPickerDisplayItem], completionHandler: @escaping ((any Error)?) -> Void
  ) {
    let items = displayItems.map(\.value)
    let (time, isFiltered) = contents.withLock { contents in
      let settings = contents.settings.value
      return (
        settings.map(\.discoveryTime) ?? AccessorySetupMachine.usualDiscoveryTime,
        settings?.options.contains(.filterDiscoveryResults) ?? false
      )
    }
    request(completionHandler) { $0.showPicker(items, for: $1, time: time, isFiltered: isFiltered) }
  }

  /// Shows a picker without items; fails with `ASError.invalidRequest`, because there is nothing to look for here.
  open func showPicker(completionHandler: @escaping ((any Error)?) -> Void) {
    showPicker(for: [], completionHandler: completionHandler)
  }

  /// Shows a picker without items; fails with `ASError.invalidRequest`, because there is nothing to look for here.
  open func showPicker() async throws { try await result { self.showPicker(completionHandler: $0) } }

  /// Has the open picker show these of the discovered accessories, in place of those shown before.
  ///
  /// The picker must have been shown with `ASPickerDisplaySettings.Options.filterDiscoveryResults`.
  open func updatePicker(
    showing displayItems: [ASDiscoveredDisplayItem],
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let items = displayItems.map { (peer: $0.accessory.sighting.peer, item: $0.value) }
    request(completionHandler) { $0.updatePicker(showing: items, for: $1) }
  }

  /// Has the open picker show these of the discovered accessories, in place of those shown before.
  open func updatePicker(showing displayItems: [ASDiscoveredDisplayItem]) async throws {
    try await result { self.updatePicker(showing: displayItems, completionHandler: $0) }
  }

  /// Ends the discovery of a picker that the app filters. If it shows nothing, it closes with `discoveryTimeout`.
  open func finishPickerDiscovery(completionHandler: @escaping ((any Error)?) -> Void) {
    request(completionHandler) { $0.finishDiscovery(for: $1) }
  }

  /// Ends the discovery of a picker that the app filters. If it shows nothing, it closes with `discoveryTimeout`.
  open func finishPickerDiscovery() async throws {
    try await result { self.finishPickerDiscovery(completionHandler: $0) }
  }

  /// Shows a picker for accessories.
  open func showPicker(for displayItems: [ASPickerDisplayItem]) async throws {
    try await result { self.showPicker(for: displayItems, completionHandler: $0) }
  }

  // MARK: What is set up

  /// Confirms an accessory whose item has `confirmAuthorization`.
  open func finishAuthorization(
    for accessory: ASAccessory, settings: ASAccessorySettings,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let peer = accessory.value.peer
    request(completionHandler) { $0.finishAuthorization(peer, for: $1) }
  }

  /// Confirms an accessory whose item has `confirmAuthorization`.
  open func finishAuthorization(for accessory: ASAccessory, settings: ASAccessorySettings) async throws {
    try await result { self.finishAuthorization(for: accessory, settings: settings, completionHandler: $0) }
  }

  /// Refuses an accessory whose item has `confirmAuthorization`; it is removed.
  open func failAuthorization(
    for accessory: ASAccessory, completionHandler: @escaping ((any Error)?) -> Void
  ) {
    let peer = accessory.value.peer
    request(completionHandler) { $0.failAuthorization(peer, for: $1) }
  }

  /// Refuses an accessory whose item has `confirmAuthorization`; it is removed.
  open func failAuthorization(for accessory: ASAccessory) async throws {
    try await result { self.failAuthorization(for: accessory, completionHandler: $0) }
  }

  /// Changes with which descriptor an accessory is known; it must be declared like those of a picker.
  open func updateAuthorization(
    for accessory: ASAccessory, descriptor: ASDiscoveryDescriptor,
    completionHandler: @escaping ((any Error)?) -> Void
  ) {
    let (peer, value) = (accessory.value.peer, descriptor.value)
    request(completionHandler) { $0.updateAuthorization(peer, value, for: $1) }
  }

  /// Changes with which descriptor an accessory is known; it must be declared like those of a picker.
  open func updateAuthorization(for accessory: ASAccessory, descriptor: ASDiscoveryDescriptor) async throws {
    try await result {
      self.updateAuthorization(for: accessory, descriptor: descriptor, completionHandler: $0)
    }
  }

  /// Asks the user for another name of an accessory; fails with `ASError.userCancelled` if the user declines.
  ///
  /// - Parameter options: Has no effect here.
  open func renameAccessory(
    _ accessory: ASAccessory, options: ASAccessory.RenameOptions = [],
    completionHandler: @escaping ((any Error)?) -> Void
  ) {
    let peer = accessory.value.peer
    request(completionHandler) { $0.rename(peer, for: $1) }
  }

  /// Asks the user for another name of an accessory; fails with `ASError.userCancelled` if the user declines.
  open func renameAccessory(_ accessory: ASAccessory, options: ASAccessory.RenameOptions = []) async throws {
    try await result { self.renameAccessory(accessory, options: options, completionHandler: $0) }
  }

  /// Removes an accessory. Connections to it end.
  open func removeAccessory(
    _ accessory: ASAccessory, completionHandler: @escaping ((any Error)?) -> Void
  ) {
    let peer = accessory.value.peer
    request(completionHandler) { $0.remove(peer, for: $1) }
  }

  /// Removes an accessory. Connections to it end.
  open func removeAccessory(_ accessory: ASAccessory) async throws {
    try await result { self.removeAccessory(accessory, completionHandler: $0) }
  }

  // MARK: Requests and events

  /// Makes a request, whose answer is passed to the handler on the session's queue.
  private func request(
    _ handler: @escaping ((any Error)?) -> Void,
    _ body: (inout AccessorySetupMachine, SetupUser) -> SetupRequest
  ) {
    // Called once, on the app's own queue.
    let handler = UncheckedSendable(handler)
    let queue = contents.withLock { $0.queue }
    let answer: @Sendable (SetupFailure?) -> Void = { [device] failure in
      device.perform(on: queue) { handler.value(failure?.error) }
    }
    guard let user, let setup = device.accessorySetup else {
      return device.app.later { answer(.invalidated) }
    }
    setup.request({ body(&$0, user) }, answer: answer)
  }

  private func result(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      call { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  private func later(_ body: @escaping @Sendable (ASAccessorySession) -> Void) {
    device.app.later { [weak self] in if let self { body(self) } }
  }

  /// Passes an event to the app's handler, on its queue.
  func report(_ event: SetupEvent) {
    let (queue, handler) = contents.withLock { ($0.queue, $0.handler) }
    if case .invalidated = event { contents.withLock { $0.handler = nil } }
    guard let handler else { return }
    let report = appEvent(event)
    device.perform(on: queue) { handler(report) }
  }

  private func appEvent(_ event: SetupEvent) -> ASAccessoryEvent {
    switch event {
    case .activated: ASAccessoryEvent(.activated)
    case .invalidated(let failure): ASAccessoryEvent(.invalidated, error: failure?.error)
    case .pickerDidPresent: ASAccessoryEvent(.pickerDidPresent)
    case .pickerDidDismiss: ASAccessoryEvent(.pickerDidDismiss)
    case .pickerSetupPairing(let value): ASAccessoryEvent(.pickerSetupPairing, accessory(value))
    case .pickerSetupFailed(let value): ASAccessoryEvent(.pickerSetupFailed, accessory(value))
    case .pickerSetupRename(let value): ASAccessoryEvent(.pickerSetupRename, accessory(value))
    case .discovered(let sighting):
      ASAccessoryEvent(.accessoryDiscovered, ASDiscoveredAccessory(sighting))
    case .migrationComplete: ASAccessoryEvent(.migrationComplete)
    case .added(let value): ASAccessoryEvent(.accessoryAdded, accessory(value))
    case .changed(let value): ASAccessoryEvent(.accessoryChanged, accessory(value))
    case .removed(let value): ASAccessoryEvent(.accessoryRemoved, accessory(value))
    }
  }

  /// The session's object for an accessory, brought up to date.
  private func accessory(_ value: SetUpAccessory) -> ASAccessory {
    contents.withLock { contents in
      if let known = contents.accessories[value.peer] {
        known.set(value)
        return known
      }
      let made = ASAccessory(value)
      contents.accessories[value.peer] = made
      return made
    }
  }
}

/// Passes events to a session without keeping it alive.
final class SetupRelay: SetupSink {
  private let owner = Mutex(WeakBox<ASAccessorySession>())

  func attach(_ session: ASAccessorySession) { owner.withLock { $0 = WeakBox(session) } }
  func received(_ event: SetupEvent) { owner.withLock { $0.object }?.report(event) }
}
