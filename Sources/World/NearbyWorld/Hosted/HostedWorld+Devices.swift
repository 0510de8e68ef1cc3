import NearbyAirs
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyWorldProtocol

/// Adding devices to a world and removing them.
extension HostedWorld {
  func exists(_ device: Int) -> Bool { devices.indices.contains(device) && !devices[device].isGone }

  /// Names of the devices that no program or host operates, in order.
  package var freeDeviceNames: [String] {
    devices.filter { $0.holder == nil && !$0.isGone }.map(\.name)
  }

  var hasRoom: Bool { deviceOfName.count < settings.deviceLimit }

  /// Index of the device of this name, which is created if necessary; `nil` if the world is full.
  mutating func device(named name: String, isHostOwned: Bool = false) -> Int? {
    if let index = deviceOfName[name] { return index }
    guard hasRoom else { return nil }
    return addDevice(name, .phone, at: freePosition(), facing: nil, isHostOwned: isHostOwned)
  }

  /// Position for a new device, on circles around the middle of the scene, 1.2 m up, where people hold a
  /// phone. The first circle has a radius of 1.5 m and six places, 1.5 m apart; the next has twelve, and so
  /// on.
  private func freePosition() -> SIMD3<Double> {
    let made = (freePlaces.first ?? devices.count) - plan.scenarioDevices
    var ring = 1
    var before = 0
    while made >= before + 6 * ring {
      before += 6 * ring
      ring += 1
    }
    let turn = 2 * Double.pi * Double(made - before) / Double(6 * ring)
    let offset = Rotation(heading: turn) * SIMD3(0, 0, -1.5 * Double(ring))
    return SIMD3(plan.middle.x + offset.x, plan.middle.y + offset.y, 1.2)
  }

  /// Adds a device to the world, reusing the index of a removed one if possible. Without a `facing`, it faces
  /// the middle of the scene.
  @discardableResult
  mutating func addDevice(
    _ name: String, _ kind: PlacedKind, at position: SIMD3<Double>, facing: Facing?, isHostOwned: Bool = false
  ) -> Int {
    let facing = facing ?? .towards(SIMD3(plan.middle.x, plan.middle.y, position.z))
    let identity = StableHash.of(name)
    let index = freePlaces.isEmpty ? devices.count : freePlaces.removeFirst()
    let hasAngles = kind.radio.array != nil
    if index < devices.count {
      let (body, radio) = (devices[index].body, devices[index].radio)
      air.medium.world.setTrajectory(of: body, .standing(position))
      air.medium.world.setFacing(of: body, facing)
      air.medium.world.replaceRadio(radio, kind.radio, identity: identity)
      let chip = devices[index].chip
      devices[index] = makeDevice(
        name, body: body, radio: radio, hasAngles: hasAngles, isHostOwned: isHostOwned)
      devices[index].chip = chip
    } else {
      let body = air.medium.world.addBody(.standing(position), facing: facing)
      let radio = air.medium.world.addRadio(on: body, kind.radio, identity: identity)
      devices.append(
        makeDevice(name, body: body, radio: radio, hasAngles: hasAngles, isHostOwned: isHostOwned))
    }
    devices[index].camera.isAvailable = kind == .phone
    plan.set(name, kind, at: index)
    deviceOfName[name] = index
    deviceChanges += 1
    return index
  }

  /// Removes a device from the world and closes its holder's connection. The scenario's remaining events for
  /// it are dropped; a person who carried it stays where they are.
  mutating func removeDevice(_ device: Int) {
    guard exists(device) else { return }
    devices[device].isGone = true
    let name = devices[device].name
    let reason = "\(name) was removed from the world"
    switch devices[device].holder {
    case .program(let client, name: _):
      end(client, .removed, reason)
      left(client)
    case .host(let client):
      actions.append(.close(client, reason: reason))
      left(client)
    case nil: break
    }
    for client in observers.keys.sorted() where observers[client]?.device == device {
      observers[client] = nil
      refuse(client, reason)
    }
    forgetBluetooth(of: device)
    air.dropEvents(ofDevice: device)
    air.medium.world.setRadio(devices[device].radio, isOn: false)
    deviceOfName[name] = nil
    deviceChanges += 1
    // Indices of scenario devices are never reused, because the scenario refers to them by index.
    guard device >= plan.scenarioDevices else { return }
    freePlaces.insert(device, at: freePlaces.firstIndex { $0 > device } ?? freePlaces.count)
  }
}
