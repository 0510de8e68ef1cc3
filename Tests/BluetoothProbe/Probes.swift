import Dispatch
import Foundation
import NearbyBluetooth
import NearbyLive

/// Receives a beacon whose signal strength rises by 1 dB per packet, ten times per second, from a controller
/// that filters duplicates on request.
enum ScanProbe {
  static func run(seconds: Double) throws {
    let probe = Probe(isLoud: false)
    try probe.waitForPower()
    probe.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    let expected = Probe.beaconOctets(major: 1, minor: 7, power: -59)
    var strengths: [Int] = []
    var first: Duration?
    var last = Duration.zero
    while first.map({ last - $0 < .seconds(seconds) }) ?? true {
      let sighting = try probe.heard.wait(for: "an advertisement") { event in
        if case .sighted(let sighting) = event { sighting } else { nil }
      }
      guard let data = sighting.advertisement.manufacturerData.first, data.company == 0x4C else { continue }
      try check(data.octets == expected, "other octets: \(data.octets)")
      try check(sighting.time >= last, "time goes backwards")
      if first == nil { first = sighting.time }
      last = sighting.time
      strengths.append(sighting.rssi)
    }
    let steps = zip(strengths, strengths.dropFirst()).filter { $0 != $1 }.count
    Probe.say("heard \(strengths.count) in \(seconds) s, \(steps) of another strength than the one before")
    // Ten per second are sent, but the kernel restarts its scan after 10.24 s, and the machine is slow.
    try check(Double(strengths.count) > 8 * seconds, "too few: \(strengths.count)")
    try check(steps > strengths.count * 8 / 10, "strengths merged: \(steps)")
    probe.perform(.stopScan)
  }
}

/// Sends an iBeacon until the machine ends, which it does once the other side has confirmed, with a file, that it
/// received it. A machine that was forgotten gets SIGALRM after ten minutes.
enum AdvertiseProbe {
  static func run() throws {
    let probe = Probe()
    try probe.waitForPower()
    var advertisement = Advertisement()
    let octets = Probe.beaconOctets(major: 0x1234, minor: 0x00FF, power: -61)
    advertisement.manufacturerData = [Advertisement.ManufacturerData(company: 0x4C, octets: octets)]
    probe.perform(.advertise(BluetoothAdvertising(advertisement)))
    let failure = try probe.heard.wait(for: "advertising") { event -> BluetoothFailure?? in
      if case .advertising(let failure) = event { .some(failure) } else { nil }
    }
    try check(failure == nil, "advertising: \(String(describing: failure))")
    Probe.say("advertising")
    alarm(600)
    pause()
  }
}

/// Uses a peripheral of the other Bluetooth stack: finds, connects, reads, pairs, receives notifications,
/// writes and disconnects.
enum CentralProbe {
  static func run() throws {
    let probe = Probe()
    try probe.waitForPower()
    probe.perform(.scan(BluetoothScan(services: [Probe.service], allowsDuplicates: false)))
    let peer = try probe.heard.wait(for: "the peripheral") { event in
      if case .sighted(let sighting) = event { sighting.peer } else { nil }
    }
    probe.perform(.stopScan)
    probe.perform(.connect(peer))
    try probe.heard.wait(for: "the connection") { event in
      if case .connected(peer) = event { () } else { nil }
    }
    let services = try discover(probe, peer)
    let characteristics = services.flatMap(\.characteristics)
    func id(_ uuid: BluetoothUUID) throws -> AttributeID {
      guard let found = characteristics.first(where: { $0.uuid == uuid }) else { throw Failed("no \(uuid)") }
      return found.id
    }
    try check(try read(probe, peer, id(Probe.open)) == Array("open".utf8), "the open value")
    try check(probe.bluetooth.peerState(peer)?.isPaired == false, "paired too soon")
    try check(try read(probe, peer, id(Probe.secret)) == Array("secret".utf8), "the secret value")
    try check(probe.bluetooth.peerState(peer)?.isPaired == true, "not paired")
    try notifications(probe, peer, id(Probe.notifying))
    try writes(probe, peer, id(Probe.writable), echo: id(Probe.open))
    probe.perform(.disconnect(peer))
    try probe.heard.wait(for: "the end") { event in
      if case .disconnected(peer, nil) = event { () } else { nil }
    }
  }

  private static func discover(_ probe: Probe, _ peer: BluetoothPeer) throws -> [GATTService] {
    probe.perform(.discover(peer))
    return try probe.heard.wait(for: "services") { event in
      if case .discovered(peer, let result) = event { result } else { nil }
    }.get()
  }

  private static func read(_ probe: Probe, _ peer: BluetoothPeer, _ id: AttributeID) throws -> [UInt8] {
    probe.perform(.read(peer, id))
    return try probe.heard.wait(for: "a value") { event in
      if case .read(peer, id, let result) = event { result } else { nil }
    }.get()
  }

  private static func notifications(_ probe: Probe, _ peer: BluetoothPeer, _ id: AttributeID) throws {
    probe.perform(.setNotify(peer, id, true))
    var numbers: [Int] = []
    while numbers.count < 40 {
      let value = try probe.heard.wait(for: "a notification") { event in
        if case .notified(peer, id, let value) = event { value } else { nil }
      }
      try check(value.count == 20, "a notification of \(value.count) octets")
      numbers.append(Int(value[0]) | Int(value[1]) << 8)
    }
    try check(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "lost some: \(numbers)")
    probe.perform(.setNotify(peer, id, false))
  }

  private static func writes(
    _ probe: Probe, _ peer: BluetoothPeer, _ id: AttributeID, echo: AttributeID
  ) throws {
    let long = (0..<120).map { UInt8($0) }
    probe.perform(.write(peer, id, long, withResponse: true))
    let failure = try probe.heard.wait(for: "the write's answer") { event -> BluetoothFailure?? in
      if case .wrote(peer, id, let failure) = event { .some(failure) } else { nil }
    }
    try check(failure == nil, "write: \(String(describing: failure))")
    try check(try read(probe, peer, echo) == long, "what was written is not there")
    probe.perform(.write(peer, id, [1, 2, 3], withResponse: false))
    // The daemon sends the write before the read that follows.
    try check(try read(probe, peer, echo) == [1, 2, 3], "what was written without response is not there")
  }
}

/// Serves a central of the other Bluetooth stack.
enum ServerProbe {
  static func run() throws {
    let probe = Probe()
    try probe.waitForPower()
    let service = GATTService(
      id: AttributeID(1), uuid: Probe.service,
      characteristics: [
        GATTCharacteristic(
          id: AttributeID(2), uuid: Probe.open, properties: .read, permissions: .readable,
          value: Array("open".utf8)),
        GATTCharacteristic(
          id: AttributeID(3), uuid: Probe.secret, properties: .read, permissions: .readEncryptionRequired),
        GATTCharacteristic(
          id: AttributeID(4), uuid: Probe.writable, properties: [.write, .writeWithoutResponse],
          permissions: .writeable),
        GATTCharacteristic(id: AttributeID(5), uuid: Probe.notifying, properties: .notify),
      ])
    probe.perform(.add(service))
    let failure = try probe.heard.wait(for: "the service") { event -> BluetoothFailure?? in
      if case .added(AttributeID(1), let failure) = event { .some(failure) } else { nil }
    }
    try check(failure == nil, "service: \(String(describing: failure))")
    var advertisement = Advertisement()
    advertisement.services = [Probe.service]
    advertisement.name = "probe"
    advertisement.isConnectable = true
    probe.perform(.advertise(BluetoothAdvertising(advertisement)))
    try serve(probe)
  }

  /// Answers requests until the central that subscribed has disconnected.
  private static func serve(_ probe: Probe) throws {
    while true {
      let isOver = try probe.heard.wait(for: "a request") { event -> Bool? in
        switch event {
        case .readRequest(let id, _, AttributeID(3), let offset):
          probe.perform(.respond(id, .success(Array("secret".utf8.dropFirst(offset)))))
          return false
        case .writeRequest(let id, _, let writes):
          probe.perform(.respond(id, .success([])))
          // Send the values back, reversed.
          for write in writes {
            let isTaken = probe.bluetooth.update(
              AttributeID(5), write.value.reversed(), centrals: nil, of: probe.user)
            if !isTaken { Probe.say("update refused") }
          }
          return false
        case .centralGone: return true
        default: return nil
        }
      }
      if isOver { return }
    }
  }
}

/// Checks that a scan and an advertisement resume after bluetoothd was restarted.
enum RecoveryProbe {
  static func run() throws {
    let probe = Probe(isLoud: false)
    try probe.waitForPower()
    probe.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    try sight(probe)
    Probe.say("READY")
    try probe.heard.wait(for: "resetting") { event in
      if case .state(.resetting) = event { () } else { nil }
    }
    try probe.waitForPower()
    try sight(probe)
  }

  private static func sight(_ probe: Probe) throws {
    try probe.heard.wait(for: "an advertisement") { event in
      if case .sighted = event { () } else { nil }
    }
  }
}

/// Prints each state until its input ends.
enum StatesProbe {
  static func run() throws {
    let probe = Probe(isLoud: false)
    while true {
      let state = try probe.heard.wait(for: "a state") { event in
        if case .state(let state) = event { state } else { nil }
      }
      Probe.say("STATE \(state)")
    }
  }
}
