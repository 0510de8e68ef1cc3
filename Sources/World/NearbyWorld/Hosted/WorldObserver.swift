import NearbyAirs
import NearbyDeviceMachine
import NearbySimulated
import NearbySimulator
import NearbyUCI
import NearbyWorldProtocol

/// A connection that receives the measurements of one device's chip.
struct WorldObserver: Sendable {
  let device: Int
  /// Splits the chip's octets into packets.
  var cutter = PacketCutter()
}

extension HostedWorld {
  /// Makes a connection an observer of the device of this name.
  mutating func observe(_ client: WorldClient, _ name: String) {
    guard let device = deviceOfName[name] else {
      let known = deviceNames.prefix(20).joined(separator: ", ")
      return refuse(client, "no device '\(name)' to observe; there are: \(known)")
    }
    observers[client] = WorldObserver(device: device)
    sendWelcome(to: client, device)
    startCameraTicks()
  }

  /// Sends every observer its device's true and tracked pose.
  mutating func observePoses() {
    for client in observers.keys.sorted() {
      guard let device = observers[client]?.device else { continue }
      track(device)
      let truth = air.medium.world.pose(of: devices[device].body, at: time)
      let tracked = devices[device].camera.tracker?.tracked(truth, at: time).pose
      let pose = ObservedPose(inWorld: .init(truth), inTrack: tracked.map { .init($0) })
      actions.append(.send(.observed(.pose(pose)), to: client, at: time))
    }
  }

  /// Extracts the ranges from octets that a device's chip sends its host.
  mutating func observe(_ octets: [UInt8], of device: Int) {
    for client in observers.keys.sorted() where observers[client]?.device == device {
      guard let packets = observers[client]?.cutter.packets(octets) else { continue }
      for packet in packets {
        for range in ranges(in: packet, of: device) {
          actions.append(.send(.observed(.range(range)), to: client, at: time))
        }
      }
    }
  }

  /// The ranges in a SESSION_INFO_NTF, together with the truth. Peers that cannot be identified are omitted.
  private mutating func ranges(in packet: [UInt8], of device: Int) -> [ObservedRange] {
    guard case .notification(.sessionInfo(let info)) = try? UCIMessage(packet: packet, dialect: .v2),
      case .twoWay(let measurements, _) = info.measurements
    else { return [] }
    return measurements.compactMap { measurement in
      guard let range = measurement.distanceMetres, case .short(let address) = measurement.address,
        let peer = peer(of: device, address: address)
      else { return nil }
      let truth = air.medium.world.truth(from: devices[device].radio, to: devices[peer].radio, at: time)
      return ObservedRange(
        object: devices[peer].name, range: range, trueRange: truth.range,
        place: air.medium.world.pose(of: devices[peer].body, at: time).positionInWorld,
        rssi: measurement.rssiDBm, isLineOfSight: truth.isLineOfSight,
        looksNonLineOfSight: measurement.nonLineOfSight == 1,
        azimuth: measurement.azimuth.figureOfMerit > 0 ? measurement.azimuth.degrees : nil,
        elevation: measurement.elevation.figureOfMerit > 0 ? measurement.elevation.degrees : nil)
    }
  }

  /// The device that has this address in a session of `device`'s app, derived from both discovery tokens.
  private func peer(of device: Int, address: UInt16) -> Int? {
    let owners = sessionOwners()
    for session in devices[device].sessions {
      guard let own = DiscoveryIdentity(octets: session.token),
        let token = session.peer, let peer = DiscoveryIdentity(octets: token), own != peer,
        PairAgreement(own: own, peer: peer).peerAddress == address
      else { continue }
      return owners[token]
    }
    return nil
  }
}

extension ObservedPose.Placement {
  init(_ pose: Pose) {
    self.init(position: pose.positionInWorld, attitude: pose.worldFromDevice.quaternion)
  }
}
