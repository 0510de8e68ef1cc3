import NearbyBeacons
import NearbyBluetooth
import NearbyCommandLine
import NearbyDevice
import NearbyHome
import NearbyTesting

/// `nearby beacon scan`.
struct BeaconScanCommand {
  private let place: BeaconPlace
  private let uuid: BluetoothUUID?
  private let isPlain: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    place = try BeaconPlace(arguments)
    uuid = try arguments[Options.uuid]
    isPlain = try arguments[CommonOptions.plain]
    if isPlain, place.isJSON { throw CommonOptions.jsonAndPlain }
  }

  func run(in context: CommandContext) throws {
    let (simulated, length) = try place.open(context.environment)
    let device = simulated?.device.launch { NearbyDevice.bound } ?? NearbyDevice.bound
    let listener = BeaconListener(on: device, uuid: uuid)
    let user = listener.start()
    defer { device.bluetooth.release(user) }
    let hasPicture = !place.isJSON && !isPlain && context.terminal() != nil
    if hasPicture { TerminalModes.enterPicture() }
    defer { if hasPicture { TerminalModes.restore() } }
    if !hasPicture, !place.isJSON { context.output.line(BeaconText.header) }
    var (beacons, eddystones): ([RangedBeacon], [RangedEddystone]) = ([], [])
    try place.run(simulated, length: length, state: { listener.bluetooth }, in: context) { time in
      let (heard, heardEddystones) = (listener.ranged(at: time), listener.eddystone(at: time))
      guard heard != nil || heardEddystones != nil else { return }
      guard hasPicture, let terminal = context.terminal() else {
        return printLines(heard ?? [], heardEddystones ?? [], at: time, in: context)
      }
      // The two kinds report at different times; the picture shows both.
      beacons = heard ?? beacons
      eddystones = heardEddystones ?? eddystones
      let canvas = BeaconText.canvas(
        beacons, eddystones, at: time, columns: terminal.columns, rows: terminal.rows)
      context.output.draw(canvas, hasColour: terminal.hasColour)
    }
  }

  private func printLines(
    _ beacons: [RangedBeacon], _ eddystones: [RangedEddystone], at time: Duration, in context: CommandContext
  ) {
    for beacon in beacons {
      context.output.line(
        place.isJSON ? BeaconText.json(beacon, at: time) : BeaconText.line(beacon, at: time))
    }
    for beacon in eddystones {
      context.output.line(
        place.isJSON ? BeaconText.json(beacon, at: time) : BeaconText.line(beacon, at: time))
    }
  }
}
