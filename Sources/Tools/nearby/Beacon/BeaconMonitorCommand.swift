import NearbyBeacons
import NearbyBluetooth
import NearbyCommandLine
import NearbyDevice
import NearbyHome
import NearbyTesting
import NearbyTextForms

/// `nearby beacon monitor`.
struct BeaconMonitorCommand {
  private let place: BeaconPlace
  private let constraint: BeaconConstraint
  private let exitRule: ExitRule

  init(_ arguments: CommandArguments) throws(UsageError) {
    place = try BeaconPlace(arguments)
    let uuid = try arguments[Options.uuid]
    let major = try arguments[Options.major]
    let minor = try arguments[Options.minor]
    if minor != nil, major == nil { throw .conflict("\(Options.minor) needs \(Options.major)") }
    constraint = BeaconConstraint(uuid: uuid, major: major, minor: minor)
    exitRule = try arguments[Options.exit]
  }

  func run(in context: CommandContext) throws {
    let (simulated, length) = try place.open(context.environment)
    let device = simulated?.device.launch { NearbyDevice.bound } ?? NearbyDevice.bound
    var monitor = RegionMonitor(exitRule: exitRule)
    _ = monitor.add(MonitoredRegion(identifier: "region", constraint: constraint), at: device.app.now)
    let listener = BeaconListener(on: device, uuid: constraint.uuid, monitor: monitor)
    let user = listener.start()
    defer { device.bluetooth.release(user) }
    try place.run(simulated, length: length, state: { listener.bluetooth }, in: context) { time in
      for action in listener.regionActions(at: time) { show(action, at: time, in: context) }
    }
  }

  private func show(_ action: RegionAction, at time: Duration, in context: CommandContext) {
    let clock = NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 2), 9)
    switch action {
    case .entered(_, let beacon):
      context.output.line(
        place.isJSON ? json("entered", beacon, time) : "\(clock) s  entered: \(beacon)")
    case .exited: context.output.line(place.isJSON ? json("left", nil, time) : "\(clock) s  left")
    case .determined(_, .outside) where !place.isJSON:
      context.output.line("\(clock) s  outside: no matching beacon")
    case .determined(_, let state) where place.isJSON:
      context.output.line(json("\(state)", nil, time))
    case .started, .limitReached, .determined: break
    }
  }

  private func json(_ event: String, _ beacon: BeaconIdentity?, _ time: Duration) -> String {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("event", text: event)
    line.add("uuid", text: "\(constraint.uuid)")
    line.add("major", (beacon?.major ?? constraint.major).map { Int($0) })
    line.add("minor", (beacon?.minor ?? constraint.minor).map { Int($0) })
    return line.closed()
  }
}
