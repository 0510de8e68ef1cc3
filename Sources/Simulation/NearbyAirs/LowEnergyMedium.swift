import NearbyBluetooth
import NearbySchedule
import NearbySimulator
import NearbyVirtualBluetooth

/// Answers the Bluetooth air's questions about the simulated world.
extension SimulatedMedium: BluetoothMedium {
  /// Received signal strength of a packet, dBm, or `nil` if it is lost.
  package mutating func receive(
    from sender: Int, to receiver: Int, channel: UInt8, at time: Duration
  ) -> Int? {
    guard
      let power = world.lowEnergyPower(
        from: lowEnergyRadios[sender], to: lowEnergyRadios[receiver], channel: channel, at: time)
    else { return nil }
    // RSSI as a controller reports it, −127 to +20 dBm (Bluetooth Core 5.4 Vol 4 Part E §7.7.65.2).
    return Int(min(20, max(-127, power.rounded())))
  }

  package mutating func reachable(
    from sender: Int, among receivers: BluetoothReceivers, at time: Duration
  ) -> [Int] {
    let seconds = time.inSeconds
    let position = world.position(of: lowEnergyRadios[sender].body, seconds: seconds)
    return receiverIndex.candidates(near: position, among: receivers, at: seconds, in: world) {
      lowEnergyRadios[$0].body
    }
  }

  /// One Channel Sounding procedure between two places; `nil` if it was aborted.
  package mutating func sound(
    from initiator: Int, to reflector: Int, at time: Duration
  ) -> BluetoothSounding? {
    let result = world.sounding(
      from: lowEnergyRadios[initiator], to: lowEnergyRadios[reflector], at: time)
    return result.map {
      BluetoothSounding(
        time: time, impulseResponse: $0.impulseResponse, phaseSlope: $0.phaseSlope, roundTrip: $0.roundTrip,
        power: $0.power, hasGoodTones: $0.hasGoodTones)
    }
  }
}
