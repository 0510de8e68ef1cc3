import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyScenarios
import NearbySchedule
import NearbySimulated
import NearbySimulator
import simd

/// Two phones of a scenario that range with each other.
package struct ScenarioPair: Sendable {
  package let first: Phone
  package let second: Phone
}

extension World {
  /// Creates the world of a scenario. Add its devices and events with `addPhones(of:)`.
  package convenience init(_ scenario: Scenario, drainsMainQueue: Bool = true) {
    self.init(
      pump: WorldPump(
        seed: scenario.seed, world: SimulatedWorld(scenario), drainsMainQueue: drainsMainQueue),
      startDate: drainsMainQueue ? Self.defaultStartDate : nil)
  }

  /// Adds the devices of the scenario that the world was created from, and schedules its events. Events on
  /// devices call `Phone`'s methods: `suspend`, `resume`, and changes of permission.
  ///
  /// - Returns: The phones in the scenario's order, and the pairs that range with each other.
  package func addPhones(of scenario: Scenario) -> (phones: [Phone], pairs: [ScenarioPair]) {
    let phones = scenario.devices.enumerated().map { index, device in
      addPhone(device, body: BodyID(index: index), radio: index)
    }
    let beacons = scenario.beacons.map(addBeacon)
    pump.addAnchors(of: scenario)
    for event in scenario.events {
      if let anchor = event.anchor {
        pump.schedule(at: event.time) { [weak pump] in pump?.perform(event.action, ofAnchor: anchor) }
      } else if let beacon = event.beacon {
        arrange(event, beacons[beacon])
      } else {
        arrange(event, phones)
      }
    }
    let pairs = scenario.pairs.map { ScenarioPair(first: phones[$0.first], second: phones[$0.second]) }
    return (phones, pairs)
  }

  /// Adds a phone for a body and a radio that the scenario already put into the world.
  private func addPhone(_ device: Scenario.Device, body: BodyID, radio: Int) -> Phone {
    claim(device.name)
    let profile: PhoneProfile = device.radio.array == nil ? .watch : PhoneProfile()
    var machine = DeviceMachine(
      settings: profile.settings, hasRadio: true,
      usageDescription: "The scenario's device wants to find devices nearby.")
    machine.setCamera(
      isAvailable: profile.hasCameraTracking,
      usageDescription: "The scenario's device wants to see where it moves.")
    let added = pump.addDevice(
      name: device.name, machine: machine, chip: profile.chip(identity: StableHash.of(device.name)),
      radio: radio, body: body, answer: .allowed)
    let phone = Phone(
      name: device.name, world: self, shell: added, body: body, radio: radio)
    switch device.pickerAnswer {
    case .choose: break
    case .cancel: phone.setAccessoryPickerAnswer(.cancel)
    case .wait: phone.setAccessoryPickerAnswer(nil)
    }
    return phone
  }

  private func addBeacon(_ beacon: Scenario.Beacon) -> BeaconHandle {
    guard let uuid = UUID(uuidString: beacon.uuid) else {
      preconditionFailure("a scenario's beacon has an invalid UUID: \(beacon.uuid)")
    }
    let handle = addBeacon(
      beacon.name, at: .zero, uuid: uuid, major: beacon.major, minor: beacon.minor,
      measuredPower: beacon.measuredPower, powerAtOneMetre: beacon.powerAtOneMetre, interval: beacon.interval)
    handle.setTrajectory(beacon.motion)
    handle.losePackets(beacon.extraLoss)
    return handle
  }

  // The world keeps the events, so an event must not keep the world, nor a phone or handle, which does.

  private func arrange(_ event: Scenario.Event, _ beacon: BeaconHandle) {
    let (name, body, place) = (beacon.name, beacon.body, beacon.place)
    pump.schedule(at: event.time) { [weak self] in
      guard let self else { return }
      let beacon = BeaconHandle(name: name, world: self, body: body, place: place)
      switch event.action {
      case .switchOff: beacon.switchOff()
      case .switchOn: beacon.switchOn()
      case .lose(let share): beacon.losePackets(share)
      case .place(let position): beacon.place(at: position)
      case .walk(let points, let speed): beacon.walk(through: points, speed: speed)
      case .suspend, .resume, .allow, .deny, .turn, .build: break
      }
    }
  }

  private func arrange(_ event: Scenario.Event, _ phones: [Phone]) {
    let index = event.device.map { phones[$0].shell.device }
    pump.schedule(at: event.time) { [weak pump] in
      guard let pump else { return }
      pump.withWorld { world, _ in world.perform(event) }
      let app = index.flatMap(pump.device)?.app
      switch event.action {
      case .suspend: app?.post(.enterBackground)
      case .resume: app?.post(.enterForeground)
      case .allow: app?.post(.setPermission(.allowed))
      case .deny: app?.post(.setPermission(.denied))
      case .switchOff, .switchOn, .lose, .place, .walk, .turn, .build: break
      }
    }
  }
}
