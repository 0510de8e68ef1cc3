import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// The initial state of a live device's location side.
package struct LocationSetup: Sendable {
  package var permission: LocationPermission
  package var usage: LocationUsage
  package var stored: StoredLocation
  /// The current time, seconds since 1970.
  package var date: Double
  package var keeper: any LocationKeeper

  package init(
    permission: LocationPermission, usage: LocationUsage, stored: StoredLocation, date: Double,
    keeper: any LocationKeeper
  ) {
    self.permission = permission
    self.usage = usage
    self.stored = stored
    self.date = date
    self.keeper = keeper
  }
}

extension LocationSetup {
  /// For a device that stores nothing and whose user allows everything.
  package static var inMemory: Self {
    Self(
      permission: LocationPermission(),
      usage: LocationUsage(describesWhenInUse: true, describesAlways: true), stored: StoredLocation(),
      date: 0, keeper: InMemoryLocationKeeper())
  }

  private struct InMemoryLocationKeeper: LocationKeeper {
    func store(_ stored: StoredLocation) {}
    func store(_ permission: LocationPermission) {}
    func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
      answer(.allow)
    }
    func notice(_ text: String) { Notice.write(text) }
  }
}

/// The location side of a live device, whose one launch lasts as long as the process.
private struct LiveLocation: LocationSide {
  let driver: LiveDriver
  let dateAtZero: Double

  func makeUser(_ sink: any LocationSink, role: LocationRole) -> LocationUser {
    let sink = WeakBox<any LocationSink> { [weak sink] in sink }
    let user = driver.updateLocation { state, now in
      let user = state.machine.updateLocation { $0.makeUser(role, at: now) }
      if let user { state.locationSinks[user] = sink }
      return user
    }
    return user ?? ended { machine, now in machine.makeUser(role, at: now) }
  }

  func release(_ user: LocationUser) {
    driver.updateLocation { state, now in
      state.locationSinks[user] = nil
      state.machine.updateLocation { $0.release(user, at: now) }
    }
  }

  func perform<Result: Sendable>(_ body: (inout LocationMachine, Duration) -> Result) -> Result {
    let result = driver.updateLocation { state, now in
      state.machine.updateLocation { body(&$0, now) }
    }
    return result ?? ended(body)
  }

  func read<Result: Sendable>(_ body: (LocationMachine) -> Result) -> Result {
    driver.state.withLock { $0.machine.readLocation(body) } ?? ended { machine, _ in body(machine) }
  }

  /// After a `relaunch`, calls change a machine that nothing drives.
  private func ended<Result>(_ body: (inout LocationMachine, Duration) -> Result) -> Result {
    var machine = LocationMachine(
      permission: LocationPermission(),
      usage: LocationUsage(describesWhenInUse: false, describesAlways: false), stored: StoredLocation(),
      dateAtZero: dateAtZero, at: .zero)
    return body(&machine, .zero)
  }
}

/// Feeds the location side's Bluetooth events to the device's machine, in the turn in which they arrive.
private final class LocationScanner: BluetoothSink {
  // Weak: the driver retains its Bluetooth, which retains its sinks.
  private weak let driver: LiveDriver?

  init(_ driver: LiveDriver) { self.driver = driver }

  func received(_ event: BluetoothEvent) { driver?.feed { $0.receivedForLocation(event, at: $1) } }
}

extension LiveDriver {
  package var location: any LocationSide {
    let dateAtZero = startedLocation.withLock { started in
      if let started { return started.dateAtZero }
      let setup = makeLocation()
      let now = clock.now()
      let machine = LocationMachine(
        permission: setup.permission, usage: setup.usage, stored: setup.stored,
        dateAtZero: setup.date - now / .seconds(1), at: now)
      state.withLock { $0.machine.startLocation(machine) }
      started = StartedLocation(keeper: setup.keeper, dateAtZero: machine.dateAtZero)
      return machine.dateAtZero
    }
    return LiveLocation(driver: self, dateAtZero: dateAtZero)
  }

  /// The part of the setup that is needed after the location side has started.
  struct StartedLocation: Sendable {
    let keeper: any LocationKeeper
    let dateAtZero: Double
  }

  /// Changes the location side on the caller's thread. The actions are executed by a turn of their own on `queue`,
  /// never inside the app's call.
  @discardableResult
  fileprivate func updateLocation<Result: Sendable>(
    _ event: (inout State, Duration) -> Result
  ) -> Result {
    let now = clock.now()
    defer { enqueue { _, _ in } }
    return state.withLock { event(&$0, now) }
  }

  /// The user changes the app's permission outside the app; no effect while the app does not use location.
  func changeLocation(_ body: @escaping @Sendable (inout LocationPermission) -> Void) {
    enqueue { machine, now in
      machine.updateLocation { $0.change(at: now, isStored: false, body) }
    }
  }

  // MARK: Actions, on `queue`

  func execute(_ action: LocationMachine.Action, _ delivery: Delivery?) {
    let keeper = startedLocation.withLock { $0?.keeper }
    switch action {
    case .notify: delivery?.perform()
    case .scan: updateScan()
    case .ask(let question):
      keeper?.ask(question) { [weak self] answer in
        self?.enqueue { $0.answerLocation(answer, to: question, at: $1) }
      }
    case .storeRegions:
      if let stored = state.withLock({ $0.machine.readLocation { $0.stored } }) { keeper?.store(stored) }
    case .storePermission(let permission): keeper?.store(permission)
    case .notice(let text): keeper?.notice(text)
    }
  }

  /// Starts or stops the scan, as the machine's current state demands. It reports all advertisements even if the machine
  /// needs only changes: without repetitions BlueZ's users get one advertisement of each sender, changed or not.
  private func updateScan() {
    let (known, scan) = state.withLock { state in
      (state.scanner, state.machine.readLocation { $0.scan })
    }
    guard let scan, scan != .none else {
      if let known { bluetooth.perform(.stopScan, of: known) }
      return
    }
    let user = known ?? bluetooth.makeUser(LocationScanner(self), role: .system)
    state.withLock { $0.scanner = user }
    bluetooth.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user)
  }
}
