import Foundation
import NearbyBluetooth
import NearbySimulated
import NearbySimulator
import simd

/// A beacon in a world, which only advertises.
public final class BeaconHandle: Sendable {
  /// The name under which the beacon was added.
  public let name: String
  private let world: World
  let body: BodyID
  let place: Int

  init(name: String, world: World, body: BodyID, place: Int) {
    self.name = name
    self.world = world
    self.body = body
    self.place = place
  }

  /// The beacon's position, in metres.
  public var position: SIMD3<Double> {
    let body = body
    return world.pump.withWorld { $0.pose(of: body, at: $1).positionInWorld }
  }

  /// Moves the beacon to a position (metres) instantly.
  public func place(at position: SIMD3<Double>) {
    let body = body
    world.pump.withWorld { world, _ in world.place(body, at: position) }
  }

  /// Carries the beacon through points (metres) from where it is, at `speed` metres per second.
  public func walk(through points: [SIMD3<Double>], speed: Double = 1.2) {
    let body = body
    world.pump.withWorld { $0.walk(body, through: points, speed: speed, from: $1) }
  }

  func setTrajectory(_ trajectory: Trajectory) {
    let body = body
    world.pump.withWorld { world, _ in world.setTrajectory(of: body, trajectory) }
  }

  /// Stops advertising, as if the battery were removed.
  public func switchOff() { world.pump.setBeacon(at: place, isOn: false) }

  /// Resumes advertising.
  public func switchOn() { world.pump.setBeacon(at: place, isOn: true) }

  /// Loses this share (0 to 1) of its packets, in addition to losses from low power.
  public func losePackets(_ share: Double) {
    world.pump.setBeacon(at: place, loss: share.isFinite ? share : 0)
  }
}

extension World {
  /// Adds an iBeacon.
  ///
  /// - Parameters:
  ///   - name: Distinct from the other beacons' names; seeds the multipath of its signal.
  ///   - position: Metres; x east, y north, z up.
  ///   - uuid: The UUID shared by the operator's beacons.
  ///   - major: The group within the UUID.
  ///   - minor: The beacon within the group.
  ///   - measuredPower: The advertised signal strength at 1 m, in dBm.
  ///   - powerAtOneMetre: The true signal strength at 1 m, in dBm; `nil` means as advertised.
  ///   - interval: Time between two advertisements, 20 ms to 10.24 s.
  @discardableResult
  public func addBeacon(
    _ name: String, at position: SIMD3<Double>, uuid: UUID, major: UInt16, minor: UInt16,
    measuredPower: Int8 = -59, powerAtOneMetre: Double? = nil, interval: Duration = .milliseconds(100)
  ) -> BeaconHandle {
    func octets(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    var advertisement = Advertisement()
    advertisement.flags = 0x06
    advertisement.manufacturerData = [
      Advertisement.ManufacturerData(
        company: 0x004C,
        octets: [0x02, 0x15] + withUnsafeBytes(of: uuid.uuid) { Array($0) } + octets(major) + octets(minor)
          + [UInt8(bitPattern: measuredPower)])
    ]
    let handle = addBeacon(
      name, at: position, advertisement, powerAtOneMetre: powerAtOneMetre ?? Double(measuredPower),
      interval: interval)
    guard let handle else { preconditionFailure("an iBeacon's 30 octets must fit into an advertisement") }
    return handle
  }

  /// Adds a beacon that advertises any payload, such as AltBeacon or Eddystone.
  ///
  /// - Parameters:
  ///   - name: Distinct from the other beacons' names.
  ///   - position: Metres; x east, y north, z up.
  ///   - payload: AD structures, at most 31 octets.
  ///   - powerAtOneMetre: The true signal strength at 1 m, in dBm.
  ///   - interval: Time between two advertisements, 20 ms to 10.24 s.
  /// - Returns: `nil` if the payload is too long.
  @discardableResult
  public func addBeacon(
    _ name: String, at position: SIMD3<Double>, payload: [UInt8], powerAtOneMetre: Double = -59,
    interval: Duration = .milliseconds(100)
  ) -> BeaconHandle? {
    guard payload.count <= Advertisement.legacyPayload else { return nil }
    return addBeacon(
      name, at: position, Advertisement(payload: payload.span, isConnectable: false),
      powerAtOneMetre: powerAtOneMetre, interval: interval)
  }

  private func addBeacon(
    _ name: String, at position: SIMD3<Double>, _ advertisement: Advertisement, powerAtOneMetre: Double,
    interval: Duration
  ) -> BeaconHandle? {
    let body = pump.withWorld { world, _ in world.addBody(.standing(position)) }
    let place = pump.addBeacon(
      named: name, BluetoothAdvertising(advertisement, interval: interval), powerAtOneMetre: powerAtOneMetre,
      body: body)
    return place.map { BeaconHandle(name: name, world: self, body: body, place: $0) }
  }
}
