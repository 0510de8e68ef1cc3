import NearbyRuntime
import NearbySchedule
import NearbySimulator
import NearbyWorldProtocol

/// Devices that come into a world and go out of it.
extension HostedWorld {
  func exists(_ device: Int) -> Bool { devices.indices.contains(device) && !devices[device].isGone }

  var hasRoom: Bool { deviceOfName.count < settings.deviceLimit }

  /// The device of this name, created if necessary; `nil` if the world has no room for it.
  mutating func device(named name: String, isHostOwned: Bool = false) -> Int? {
    if let index = deviceOfName[name] { return index }
    guard hasRoom else { return nil }
    return addDevice(name, .phone, at: freePosition(), facing: nil, isHostOwned: isHostOwned)
  }

  /// In circles around the middle of all: neighbours are 1.5 m apart and look at the middle.
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

  /// Puts a device into the world, at the place in the list of one that was removed if there is one.
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
      medium.world.setTrajectory(of: body, .standing(position))
      medium.world.setFacing(of: body, facing)
      medium.world.replaceRadio(radio, kind.radio, identity: identity)
      let chip = devices[index].chip
      devices[index] = makeDevice(
        name, body: body, radio: radio, hasAngles: hasAngles, isHostOwned: isHostOwned)
      devices[index].chip = chip
    } else {
      let body = medium.world.addBody(.standing(position), facing: facing)
      let radio = medium.world.addRadio(on: body, kind.radio, identity: identity)
      devices.append(
        makeDevice(name, body: body, radio: radio, hasAngles: hasAngles, isHostOwned: isHostOwned))
    }
    devices[index].camera.isAvailable = kind == .phone
    plan.set(name, kind, at: index)
    deviceOfName[name] = index
    deviceChanges += 1
    return index
  }

  /// Takes a device out of the world, with whatever program it has. What happens to it later in the scenario no
  /// longer happens; a person who carried it stays where they are.
  mutating func removeDevice(_ device: Int) {
    guard exists(device) else { return }
    devices[device].isGone = true
    let name = devices[device].name
    let reason = "\(name) was taken out of the world"
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
    medium.world.setRadio(devices[device].radio, isOn: false)
    deviceOfName[name] = nil
    deviceChanges += 1
    // Those of the scenario are known by their places there.
    guard device >= plan.scenarioDevices else { return }
    freePlaces.insert(device, at: freePlaces.firstIndex { $0 > device } ?? freePlaces.count)
  }
}
