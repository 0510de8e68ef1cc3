import Foundation
import NearbyBluetooth
import NearbyCommandLine
import NearbyDevice
import NearbyHome
import NearbyScenarios
import NearbyTesting

/// Where a beacon command runs: on this machine's Bluetooth, or in the world of a scenario.
struct BeaconPlace {
  /// Real time between two polls.
  private static let pollInterval = Duration.milliseconds(50)
  /// A radio that reports nothing for this long counts as missing.
  private static let patience = Duration.seconds(5)

  /// A scenario's world, and its phones.
  struct Simulated {
    let world: World
    let phones: [Phone]
    let device: Phone
    let speed: PlaybackSpeed
  }

  private let scenarioFile: String?
  private let name: String?
  private let speed: PlaybackSpeed
  private let seed: UInt64?
  private let duration: Duration?
  let isJSON: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    scenarioFile = try arguments[Options.scenario]
    name = try arguments[Options.name]
    speed = try arguments[CommonOptions.speed]
    seed = try arguments[Options.seed]
    duration = try arguments[Options.seconds]
    isJSON = try arguments[CommonOptions.json]
    if scenarioFile == nil, name != nil { throw .conflict("\(Options.name) needs \(Options.scenario)") }
    if scenarioFile == nil, speed != .times(1) {
      throw .conflict("\(CommonOptions.speed) needs \(Options.scenario)")
    }
  }

  /// Opens the world, or returns `nil` for this machine's Bluetooth.
  func open(_ environment: [String: String]) throws -> (simulated: Simulated?, length: Duration?) {
    guard let scenarioFile else { return (nil, duration) }
    var scenario = try ScenarioFile.read(scenarioFile)
    if let seed { scenario.seed = seed }
    let world = World(scenario, drainsMainQueue: false)
    let (phones, _) = world.addPhones(of: scenario)
    let usual = phones.first { $0.name == environment["NEARBY_DEVICE"] } ?? phones.first
    let device = name == nil ? usual : phones.first { $0.name == name }
    guard let device else {
      guard let name else {
        throw CommandError.badData(
          "\(scenarioFile): no phone that could use Bluetooth; add one to the scenario")
      }
      let names = phones.map(\.name).joined(separator: ", ")
      throw UsageError.invalidValue(option: "\(Options.name)", found: name, expected: "one of \(names)")
    }
    return (
      Simulated(world: world, phones: phones, device: device, speed: speed), duration ?? scenario.duration
    )
  }

  /// Lets time pass and polls repeatedly.
  ///
  /// - Parameters:
  ///   - state: The last known state of the radio.
  ///   - onPoll: Called with the device's time at each poll.
  func run(
    _ simulated: Simulated?, length: Duration?, state: () -> BluetoothState, in context: CommandContext,
    onPoll: (Duration) throws -> Void
  ) throws {
    let bell = Mailbox<Void>()
    context.interrupt.handle { bell.post(()) }
    let device = simulated?.device.launch { NearbyDevice.bound } ?? NearbyDevice.bound
    let begin = device.app.now
    var next = ContinuousClock.now
    var last = BluetoothState.poweredOn
    while !context.isOutputClosed(), length.map({ device.app.now - begin < $0 }) ?? true {
      if context.interrupt.isRaised { return }
      if let simulated { simulated.world.advance(by: step(simulated, length, device.app.now - begin)) }
      try onPoll(device.app.now)
      context.flush()
      try check(state(), since: device.app.now - begin, last: &last, in: context)
      if let simulated, case .max = simulated.speed { continue }
      next += Self.pollInterval
      if bell.nextInApp(until: next) != nil { return }
    }
  }

  private func step(_ simulated: Simulated, _ length: Duration?, _ passed: Duration) -> Duration {
    let step =
      switch simulated.speed {
      case .times(let factor): Self.pollInterval * factor
      case .max: Self.pollInterval
      }
    return length.map { min(step, $0 - passed) } ?? step
  }

  private func check(
    _ state: BluetoothState, since passed: Duration, last: inout BluetoothState, in context: CommandContext
  ) throws(CommandError) {
    switch state {
    case .unsupported, .unauthorized: throw BluetoothTrouble.error(simulating: true)
    case .unknown where passed > Self.patience:
      throw .unavailable("timed out: bluetoothd did not answer; check it with 'systemctl status bluetooth'")
    case .poweredOff where last != state:
      context.errors.line("nearby: Bluetooth is off; turn it on, for example with 'bluetoothctl power on'")
    case .resetting where last != state:
      context.errors.line("nearby: lost the Bluetooth adapter or bluetoothd; waiting for it")
    case .unknown, .poweredOff, .resetting, .poweredOn: break
    }
    if state != .unknown { last = state }
  }
}

extension OptionReader where Value == BluetoothUUID {
  /// A UUID of 36 characters.
  static var uuid: Self {
    Self(expected: "a UUID such as E2C56DB5-DFFB-48D2-B060-D0F5A71096E0") { text in
      text.utf8.count == 36 ? BluetoothUUID(text) : nil
    }
  }
}
