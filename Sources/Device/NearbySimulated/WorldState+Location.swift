import NearbyAirs
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine

/// The world's part of one device's location, beside the machine: the state that outlasts a launch of the app, the
/// recipients, and the user's answers.
struct SimulatedLocation: Sendable {
  /// Worlds begin on 1 January 2026, so that the same seed gives the same dates.
  static let dateAtZero = 1_767_225_600.0

  /// Counts the launches that used location.
  var launch = 0
  var usersMade = 0
  var permission = LocationPermission()
  var usage = LocationUsage(describesWhenInUse: true, describesAlways: true)
  /// The regions and conditions of the last launch.
  var stored = StoredLocation()
  /// How the user answers questions; `nil` leaves them open.
  var answer: LocationAnswer? = .allow
  var sinks: [LocationUser: WeakBox<any LocationSink>] = [:]
  /// The device's name on the Bluetooth air.
  var name = ""
  /// The user of Bluetooth that scans for the machine; `nil` before the first scan.
  var scanner: BluetoothUser?

  /// The machine with which a launch starts.
  func machine(at now: Duration) -> LocationMachine {
    var machine = LocationMachine(
      permission: permission, usage: usage, stored: stored, dateAtZero: Self.dateAtZero, at: now)
    machine.usersMade = usersMade
    return machine
  }
}

/// The location side of a simulated world's devices.
extension WorldState {
  /// Starts the location side of the app's launch unless it has started.
  ///
  /// - Returns: The launch.
  mutating func startLocation(of device: Int, name: String) -> Int {
    var location = locations[device] ?? SimulatedLocation()
    if !devices[device].machine.hasLocation {
      location.name = name
      devices[device].machine.startLocation(location.machine(at: now))
      locations[device] = location
    }
    return location.launch
  }

  /// Ends the location side of the app's launch, whose recipients receive nothing more.
  ///
  /// - Returns: Its user of Bluetooth, to be released.
  mutating func endLocation(of device: Int) -> BluetoothUser? {
    guard var location = locations[device], let ended = devices[device].machine.endLocation() else {
      return nil
    }
    outbox.removeAll { pending in
      if pending.device == device, case .location = pending.action { true } else { false }
    }
    location.launch += 1
    location.usersMade = ended.usersMade
    location.permission = ended.permission.afterLaunch
    location.stored = ended.stored
    location.sinks = [:]
    let scanner = location.scanner.take()
    locations[device] = location
    return scanner
  }

  /// Changes the machine during a call. The actions are executed a moment later, as for commands: otherwise an app
  /// that retries as soon as it fails would retry endlessly without time advancing.
  ///
  /// - Returns: `nil`, with no effect, if the launch has ended or did not use location.
  @discardableResult
  mutating func updateLocation<Result>(
    of device: Int, launch: Int? = nil, _ event: (inout LocationMachine, Duration) -> Result
  ) -> Result? {
    let now = now
    guard launch == nil || locations[device]?.launch == launch,
      let result = devices[device].machine.updateLocation({ event(&$0, now) })
    else { return nil }
    tasks.insert(.runUntilIdle(device: device), at: now + Self.commandLatency)
    return result
  }

  mutating func answerLocation(
    _ answer: LocationAnswer, to question: LocationQuestion, launch: Int, device: Int
  ) {
    guard locations[device]?.launch == launch else { return }
    devices[device].machine.answerLocation(answer, to: question, at: now)
    runUntilIdle(device)
  }

  mutating func execute(_ action: LocationMachine.Action, of device: Int) {
    switch action {
    case .scan: updateScan(of: device)
    case .ask(let question):
      guard let location = locations[device], let answer = location.answer else { return }
      tasks.insert(
        .answerLocation(device: device, launch: location.launch, question, answer),
        at: now + Self.commandLatency)
    // `endLocation` stores what outlasts the launch.
    case .storeRegions, .storePermission: break
    case .notify, .notice: break
    }
  }

  /// Starts, changes or stops the scan, as the machine's current state demands.
  private mutating func updateScan(of device: Int) {
    guard let location = locations[device] else { return }
    guard let scan = devices[device].machine.readLocation({ $0.scan }), scan != .none else {
      if let scanner = location.scanner { perform(.stopScan, of: scanner) }
      return
    }
    let user = location.scanner ?? makeBluetoothUser(.system, device: device, name: location.name)
    locations[device]?.scanner = user
    perform(.scan(BluetoothScan(services: nil, allowsDuplicates: scan == .repeated)), of: user)
  }
}
