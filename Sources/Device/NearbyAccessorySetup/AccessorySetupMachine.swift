import NearbyBluetooth

/// The accessories that a device's user has set up for the app, and the picker with which this is done.
///
/// An app declares in its `Info.plist` which accessories it sets up. A session that activates learns which are set up
/// already. It then shows a picker with display items; the device scans, and what matches an item is offered to the
/// user, who chooses one or cancels. The app sees only accessories that were chosen, and is never asked for
/// Bluetooth.
///
/// **In:** the app's calls, events of Bluetooth, the user's replies, and the end of waits.
/// **Out:** actions, which the host executes in their order: events for sessions, answers to requests, commands for
/// Bluetooth, and changes of what the user is asked and of what the app may see.
///
/// **States of a picker:** it offers accessories; it pairs with the chosen one, if its descriptor supports that; the
/// user names it, if its item allows that. Then the accessory is set up and the picker closes. A pairing that fails or
/// takes too long closes the picker without an accessory.
///
/// **Invariants:** at most one picker is open, and Bluetooth is used only while one is; each request is answered exactly
/// once; accessories outlast sessions and launches of the app.
package struct AccessorySetupMachine: Sendable {
  package enum Action: Equatable, Sendable {
    case notify(SetupUser, SetupEvent)
    case answer(SetupRequest, SetupFailure?)
    /// Begin to use Bluetooth as the system, with a scan for everything.
    case startBluetooth
    case bluetooth(BluetoothCommand)
    /// End the scan and everything else that `startBluetooth` began.
    case stopBluetooth
    /// What the user is asked has changed.
    case questionChanged
    /// Wait for this long, then call `waited`.
    case wait(SetupWait, Duration)
    /// The accessories have changed.
    case store
  }

  /// An open picker.
  struct Picker: Sendable {
    enum Phase: Sendable {
      case offering
      case pairing(SetUpAccessory, SetupItem)
      case naming(SetUpAccessory)
    }

    let user: SetupUser
    let request: SetupRequest
    let items: [SetupItem]
    /// Whether the app decides what is shown.
    let isFiltered: Bool
    var phase = Phase.offering
    var candidates: [SetupCandidate] = []
    /// What was reported to an app that decides what is shown.
    var discovered: [BluetoothPeer: BluetoothSighting] = [:]

    /// Whether there is nothing to look for: the user only confirms what the app used before.
    var isMigration: Bool { items.allSatisfy { $0.migrates != nil } }
    var isOffering: Bool { if case .offering = phase { true } else { false } }
    /// The accessory with which the picker pairs.
    var pairing: (accessory: SetUpAccessory, item: SetupItem)? {
      if case .pairing(let accessory, let item) = phase { (accessory, item) } else { nil }
    }
  }

  /// A request of the app to have the user rename an accessory.
  struct Renaming: Sendable {
    let user: SetupUser
    let request: SetupRequest
    let peer: BluetoothPeer
  }

  /// What the app declares; `nil` if it declares nothing, so that it has no set-up and ordinary Bluetooth.
  package var usage: SetupUsage?
  /// In the order in which they were set up.
  package internal(set) var accessories: [SetUpAccessory] = []
  var active: Set<SetupUser> = []
  var picker: Picker?
  /// Never open together with a picker.
  var renaming: Renaming?
  private var numbersMade = 0
  var actions: [Action] = []

  /// How long discovery may take until something is found. Source: Apple's documentation of
  /// `ASPickerDisplaySettings`.
  package static let usualDiscoveryTime = Duration.seconds(30)
  /// How long connecting and pairing may take: the timeout of the Security Manager Protocol, Bluetooth Core 5.4,
  /// volume 3, part H, 3.4.
  static let pairingTime = Duration.seconds(30)
  /// Number of offers in one picker; more are ignored.
  static let mostCandidates = 100
  /// Characters of a name; the rest of a longer one is dropped.
  static let longestName = 64

  package init(usage: SetupUsage? = nil, accessories: [SetUpAccessory] = []) {
    self.usage = usage
    self.accessories = accessories
  }

  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  mutating func makeNumber() -> Int {
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
    release(user)
    actions.append(.notify(user, .invalidated(nil)))
  }

  /// The session is gone; its sink receives nothing more.
  package mutating func release(_ user: SetupUser) {
    if picker?.user == user { closePicker(.invalidated) }
    if renaming?.user == user { endRenaming(.invalidated) }
    active.remove(user)
  }

  /// The app's process has ended.
  package mutating func endLaunch() {
    if picker != nil { actions.append(.stopBluetooth) }
    if picker != nil || renaming != nil { actions.append(.questionChanged) }
    picker = nil
    renaming = nil
    active = []
  }

  mutating func notifyAll(_ event: SetupEvent) {
    for user in active.sorted() { actions.append(.notify(user, event)) }
  }
}
