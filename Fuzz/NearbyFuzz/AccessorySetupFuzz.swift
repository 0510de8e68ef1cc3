import NearbyAccessorySetup
import NearbyBluetooth

/// Compares advertisements with descriptors in the machine of accessory set-up. The first octets choose the descriptor,
/// the rest is advertised, once as it is and once as a prefix.
func fuzzAccessorySetup(_ octets: [UInt8]) {
  guard octets.count >= 12 else { return }
  let choice = octets[0]
  var descriptor = SetupDescriptor()
  if choice & 1 != 0 { descriptor.service = BluetoothUUID(UInt16(octets[1]) << 8 | UInt16(octets[2])) }
  if choice & 2 != 0 { descriptor.company = UInt16(octets[3]) << 8 | UInt16(octets[4]) }
  let pattern = Array(octets[5..<8])
  let mask = choice & 4 != 0 ? Array(octets[8..<(choice & 8 != 0 ? 11 : 10)]) : nil
  if choice & 16 != 0 { descriptor.manufacturerData = SetupDescriptor.Pattern(pattern, mask: mask) }
  if choice & 32 != 0 { descriptor.serviceData = SetupDescriptor.Pattern(pattern, mask: mask) }
  if choice & 64 != 0 { descriptor.nameSubstring = String(decoding: octets[8..<10], as: UTF8.self) }
  descriptor.ignoresCase = choice & 128 != 0
  descriptor.isImmediate = octets[11] & 1 != 0
  var machine = AccessorySetupMachine(
    usage: SetupUsage(
      services: descriptor.service.map { [$0] } ?? [], companies: descriptor.company.map { [$0] } ?? [],
      names: descriptor.nameSubstring.map { [$0] } ?? []))
  let user = machine.makeUser()
  machine.activate(user)
  _ = machine.showPicker([SetupItem(name: "item", descriptor: descriptor)], for: user)
  precondition((machine.candidates != nil) == descriptor.isValid, "a picker opens for an invalid descriptor")
  let rest = octets[12...]
  for (index, payload) in [Array(rest), Array(rest.prefix(rest.count / 2))].enumerated() {
    let advertisement = Advertisement(payload: payload.span, isConnectable: true)
    let peer = BluetoothPeer(high: 1, low: UInt64(index))
    for power in [-127, -40] {
      machine.sighted(
        BluetoothSighting(peer: peer, advertisement: advertisement, rssi: power, time: .zero))
    }
    let matches =
      descriptor.matches(advertisement, power: -40) || descriptor.matches(advertisement, power: -127)
    let isOffered = machine.candidates?.contains { $0.peer == peer } ?? false
    precondition(isOffered == matches, "the picker offers something else than what matches")
    if descriptor.nameSubstring?.isEmpty == false, isOffered {
      precondition(advertisement.name != nil, "an advertisement without name matches a name")
    }
  }
  if let first = machine.candidates?.first {
    precondition(machine.choose(first.peer), "an offered accessory can't be chosen")
    precondition(machine.visiblePeers == [first.peer], "the app sees something else than what was set up")
  }
}
