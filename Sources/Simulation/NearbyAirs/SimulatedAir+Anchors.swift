import NearbyBluetooth
import NearbyExchange
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbyUCI
import NearbyVirtualBluetooth
import NearbyVirtualUWB

/// A DL-TDoA anchor of a world: a chip that runs by itself, and its advertisement.
package struct SimulatedAnchor: Sendable {
  package private(set) var name: String
  package fileprivate(set) var setup: AnchorSetup
  /// Its chip on the ultra-wideband air, its radio in the world, and its body.
  package let chip: RadioID
  package let radio: Int
  package let body: BodyID
  /// Its place on the Bluetooth air; `nil` if it does not advertise.
  package let bluetoothPlace: Int?
  package fileprivate(set) var isOn = true

  init(
    name: String, setup: AnchorSetup, chip: RadioID, radio: Int, body: BodyID, bluetoothPlace: Int?
  ) {
    self.name = name
    self.setup = setup
    self.chip = chip
    self.radio = radio
    self.body = body
    self.bluetoothPlace = bluetoothPlace
  }
}

extension SimulatedAir {
  /// Signal strength of an anchor's advertisement at 1 m, dBm, and the time between two.
  private static let anchorPower = -59.0
  private static let anchorInterval = Duration.milliseconds(100)

  /// Adds an anchor that ranges and advertises from now on.
  ///
  /// - Parameters:
  ///   - advertises: Whether tags can find its network by it.
  ///   - mayBeSilent: Whether to add an anchor whose chip refuses the setup.
  /// - Returns: Its index in `anchors`; `nil` if its chip refuses the setup.
  package mutating func addAnchor(
    named name: String, _ setup: AnchorSetup, _ characteristics: RadioCharacteristics, body: BodyID,
    advertises: Bool = true, mayBeSilent: Bool = false, at now: Duration
  ) -> Int? {
    let identity = StableHash.of(name)
    let radio = medium.world.addRadio(on: body, characteristics, identity: identity)
    let chip = addChip(VirtualChipConfiguration(identity: identity), radio: radio, at: now)
    guard uwb.runAnchor(setup, on: chip, at: now) || mayBeSilent else { return nil }
    var place: Int?
    if advertises {
      let advertising = setup.advertisements.map { BluetoothAdvertising($0, interval: Self.anchorInterval) }
      let own = bluetoothPlaces.identity(for: name)
      place = bluetooth.addBeacon(identity: own, advertising, at: now)
      if place != nil {
        bluetoothPlaces.append(nil)
        medium.addLowEnergyRadio(
          LowEnergyRadio(body: body, identity: own, powerAtOneMetre: Self.anchorPower))
      }
    }
    anchors.append(
      SimulatedAnchor(
        name: name, setup: setup, chip: chip, radio: radio, body: body, bluetoothPlace: place))
    return anchors.count - 1
  }

  /// Changes an anchor's setup. Faults change at once; anything else restarts the anchor.
  package mutating func changeAnchor(
    _ index: Int, at now: Duration, _ change: (inout AnchorSetup) -> Void
  ) {
    var setup = anchors[index].setup
    change(&setup)
    var same = anchors[index].setup
    same.faults = setup.faults
    anchors[index].setup = setup
    if same == setup {
      uwb.setAnchorFaults(setup.faults, of: anchors[index].chip)
    } else {
      uwb.runAnchor(setup, on: anchors[index].chip, at: now)
    }
  }

  /// Switches an anchor's radios on or off.
  package mutating func setAnchor(_ index: Int, isOn: Bool, at now: Duration) {
    anchors[index].isOn = isOn
    medium.world.setRadio(anchors[index].radio, isOn: isOn)
    if let place = anchors[index].bluetoothPlace { bluetooth.setBeacon(place, isOn: isOn, at: now) }
  }
}

extension SimulatedAir {
  /// Adds the anchors of a scenario, in its order. One whose chip refuses its rounds stays silent.
  package mutating func addAnchors(of scenario: Scenario, at now: Duration) {
    for anchor in scenario.anchors {
      let body = medium.world.addBody(.standing(anchor.position))
      let setup = AnchorSetup(anchor, responders: scenario.responders(of: anchor))
      let index = addAnchor(
        named: anchor.name, setup, anchor.radio, body: body, advertises: anchor.advertises, mayBeSilent: true,
        at: now)
      if let index { medium.world.setExtraLoss(anchor.extraLoss, ofRadio: anchors[index].radio) }
    }
  }

  /// Applies a scenario event to an anchor.
  package mutating func perform(
    _ action: Scenario.Event.Action, ofAnchor index: Int, at now: Duration
  ) {
    guard anchors.indices.contains(index) else { return }
    switch action {
    case .switchOff: setAnchor(index, isOn: false, at: now)
    case .switchOn: setAnchor(index, isOn: true, at: now)
    case .lose(let share): medium.world.setExtraLoss(share, ofRadio: anchors[index].radio)
    case .place(let position): medium.world.place(anchors[index].body, at: position)
    case .suspend, .resume, .allow, .deny, .walk, .turn, .build: break
    }
  }
}

extension AnchorSetup {
  package init(_ anchor: Scenario.Anchor, responders: [UInt16]) {
    var rounds = anchor.answers.map { UCIAnchorRound.responder(round: $0) }
    if let round = anchor.begins {
      rounds.insert(
        .initiator(round: round, UCIAnchorResponders(addresses: responders.map { .short($0) })), at: 0)
    }
    var shared = AnchorRadio()
    (shared.blockMilliseconds, shared.slotsPerRound) = (anchor.blockMilliseconds, anchor.slots)
    self.init(
      network: anchor.network, address: anchor.address, rounds: rounds,
      location: .relative(metres: anchor.surveyed ?? anchor.position),
      isTimeReference: anchor.isTimeReference, usesCommonTimeBase: !anchor.usesLocalTime,
      hasLongStamps: !anchor.hasShortStamps, radio: shared)
    faults.pollLoss = anchor.missedPolls
    faults.finalLoss = anchor.missingFinals
    faults.roundLoss = anchor.missingRounds
    faults.stampOffset = anchor.lateStamps
    faults.wrapChance = anchor.wrappedStamps
    faults.wildChance = anchor.wildStamps
    faults.omitsReplyTimes = anchor.omitsReplyTimes
  }
}

extension AnchorSetup {
  /// What the anchor advertises over Bluetooth, in one packet or two.
  fileprivate var advertisements: [Advertisement] {
    let defaults = Set(AnchorNetworkAdvertisement.defaults)
    // `AnchorRadio` gives these always; tags know them already.
    let known: [UCIAppParameter] = [.stsConfiguration(.fixed), .rframeConfiguration(.sp1)]
    let own = radio.parameters.filter { !defaults.contains($0) && !known.contains($0) }
    let initiated = rounds.compactMap { round -> UInt8? in
      if case .initiator(let index, _) = round { index } else { nil }
    }
    let heard = rounds.compactMap { round -> UInt8? in
      if case .responder(let index) = round { index } else { nil }
    }
    let named: [UCIAppParameter] = [.downlinkTDoAInitiatorRounds(initiated + heard)]
    let advertisement = AnchorNetworkAdvertisement(networkIdentifier: network, parameters: own + named)
    // Of 31 octets, 4 precede the service data: length, type and the service's UUID.
    let parts = advertisement.parts(capacity: Advertisement.legacyPayload - 4)
    return zip(parts, AnchorAdvertisementPart.serviceUUIDs).map { part, service in
      var packet = Advertisement()
      packet.isConnectable = false
      packet.serviceData = [
        Advertisement.ServiceData(service: BluetoothUUID(service), octets: part.serviceData)
      ]
      return packet
    }
  }
}
