import Foundation
import NearbyBluetooth
import NearbyCommandLine
import NearbyDevice
import NearbyHome
import NearbyScenarios
import NearbyTesting

/// Where a beacon command listens: this machine's Bluetooth, or a scenario's world.
struct BeaconPlace {
  /// Real time between two looks.
  private static let look = Duration.milliseconds(50)
  /// A radio that says nothing for so long is taken to be none.
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
    if scenarioFile == nil, name != nil { throw .conflict("\(Options.name) goes with \(Options.scenario)") }
    if scenarioFile == nil, speed != .times(1) {
      throw .conflict("\(CommonOptions.speed) goes with \(Options.scenario)")
    }
  }

  /// Opens the world; `nil` for this machine's Bluetooth.
  func open() throws -> (simulated: Simulated?, length: Duration?) {
    guard let scenarioFile else { return (nil, duration) }
    var scenario = try ScenarioFile.read(scenarioFile)
    if let seed { scenario.seed = seed }
    let world = World(scenario, drainsMainQueue: false)
    let (phones, _) = world.addPhones(of: scenario)
    let device = name == nil ? phones.first : phones.first { $0.name == name }
    guard let device else {
      guard let name else { throw CommandError.badData("\(scenarioFile): no device that could listen") }
      let names = phones.map(\.name).joined(separator: ", ")
      throw UsageError.invalidValue(option: "\(Options.name)", found: name, expected: "one of \(names)")
    }
    return (
      Simulated(world: world, phones: phones, device: device, speed: speed), duration ?? scenario.duration
    )
  }

  /// Lets time pass, and looks again and again.
  ///
  /// - Parameters:
  ///   - state: What the radio last said.
  ///   - look: Called with the device's time.
  func run(
    _ simulated: Simulated?, length: Duration?, state: () -> BluetoothState, in context: CommandContext,
    look: (Duration) throws -> Void
  ) throws {
    let bell = Mailbox<Void>()
    context.interrupt.handle { bell.post(()) }
    let device = simulated?.device.launch { NearbyDevice.bound } ?? NearbyDevice.bound
    let begin = device.app.now
    var next = ContinuousClock.now
    var told = BluetoothState.poweredOn
    while !context.isOutputClosed(), length.map({ device.app.now - begin < $0 }) ?? true {
      if context.interrupt.isRaised { return }
      if let simulated { simulated.world.advance(by: step(simulated, length, device.app.now - begin)) }
      try look(device.app.now)
      context.flush()
      try check(state(), since: device.app.now - begin, told: &told, in: context)
      if let simulated, case .max = simulated.speed { continue }
      next += Self.look
      if bell.nextInApp(until: next) != nil { return }
    }
  }

  private func step(_ simulated: Simulated, _ length: Duration?, _ passed: Duration) -> Duration {
    let step =
      switch simulated.speed {
      case .times(let factor): Self.look * factor
      case .max: Self.look
      }
    return length.map { min(step, $0 - passed) } ?? step
  }

  private func check(
    _ state: BluetoothState, since passed: Duration, told: inout BluetoothState, in context: CommandContext
  ) throws(CommandError) {
    switch state {
    case .unsupported:
      throw .unavailable("this machine has no Bluetooth that can be used: no adapter, or no bluetoothd")
    case .unauthorized: throw .unavailable("Bluetooth may not be used")
    case .unknown where passed > Self.patience: throw .unavailable("Bluetooth does not answer")
    case .poweredOff where told != state: context.errors.line("nearby: Bluetooth is off; waiting")
    case .resetting where told != state: context.errors.line("nearby: Bluetooth went away; waiting")
    case .unknown, .poweredOff, .resetting, .poweredOn: break
    }
    if state != .unknown { told = state }
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
