import NearbyBluetooth

extension BeaconFrame {
  /// The beacon frames of a parsed advertisement, in order; malformed frames are skipped.
  package static func frames(of advertisement: Advertisement) -> [BeaconFrame] {
    var frames: [BeaconFrame] = []
    for data in advertisement.manufacturerData {
      let octets = data.octets
      if let frame = try? manufacturer(data.company, octets.span, octets.indices) { frames.append(frame) }
    }
    let service = BluetoothUUID(Eddystone.service)
    for data in advertisement.serviceData where data.service == service && !data.octets.isEmpty {
      let octets = data.octets
      if let frame = try? eddystone(octets.span, octets.indices) { frames.append(frame) }
    }
    return frames
  }
}
