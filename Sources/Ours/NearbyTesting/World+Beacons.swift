import Foundation
import NearbyBluetooth
import NearbySimulated
import NearbySimulator
import simd

/// A plain beacon in a world: it says who it is again and again, and does nothing else.
public final class BeaconHandle: Sendable {
  /// What it was added as.
  public let name: String
  private let world: World
  private let body: BodyID
  private let place: Int

  init(name: String, world: World, body: BodyID, place: Int) {
    self.name = name
    self.world = world
    self.body = body
    self.place = place
  }

  /// Where it is, metres.
  public var position: SIMD3<Double> {
    let body = body
    return world.pump.withWorld { $0.pose(of: body, at: $1).positionInWorld }
  }

  /// Puts it somewhere at once, metres.
  public func place(at position: SIMD3<Double>) {
    let body = body
    world.pump.withWorld { world, _ in world.place(body, at: position) }
  }

  /// Carries it through points, metres, from where it is, at `speed` metres a second.
  public func walk(through points: [SIMD3<Double>], speed: Double = 1.2) {
    let body = body
    world.pump.withWorld { $0.walk(body, through: points, speed: speed, from: $1) }
  }

  func follow(_ trajectory: Trajectory) {
    let body = body
    world.pump.withWorld { world, _ in world.setTrajectory(of: body, trajectory) }
  }

  /// It falls silent, as with its battery taken out.
  public func switchOff() { world.pump.setBeacon(at: place, isOn: false) }

  /// It advertises again.
  public func switchOn() { world.pump.setBeacon(at: place, isOn: true) }

  /// Loses this share of its packets beside what power says, 0 to 1.
  public func losePackets(_ share: Double) {
    world.pump.setBeacon(at: place, loss: share.isFinite ? share : 0)
  }
}

extension World {
  /// Adds an iBeacon.
  ///
  /// - Parameters:
  ///   - name: Distinct from the other beacons'; its radio's echoes are drawn from it.
  ///   - position: Metres; x east, y north, z up.
  ///   - uuid: Whose beacons it is one of.
  ///   - major: Which group of them.
  ///   - minor: Which one of the group.
  ///   - measuredPower: What it says that it is heard with 1 m away, dBm.
  ///   - powerAtOneMetre: What it is heard with in truth; as it says where `nil`.
  ///   - interval: Between two advertisements, 20 ms to 10.24 s.
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
    guard let handle else { preconditionFailure("an iBeacon's 30 octets fit into an advertisement") }
    return handle
  }

  /// Adds a beacon that advertises any payload: AltBeacon, Eddystone and others.
  ///
  /// - Parameters:
  ///   - name: Distinct from the other beacons'.
  ///   - position: Metres; x east, y north, z up.
  ///   - payload: AD structures, at most 31 octets.
  ///   - powerAtOneMetre: dBm.
  ///   - interval: Between two advertisements, 20 ms to 10.24 s.
  /// - Returns: `nil` for a payload that is too long.
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
