import NearbyAirs
import NearbyScenarios
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyVirtualUWB

/// An anchor of a world. The air holds its chip and radio under the same number.
struct HostedAnchor: Sendable {
  /// As a scenario file describes it, with its present faults; its position is the one at which it was surveyed.
  var described: Scenario.Anchor
  /// Its transmit power without the fault `weak`, dBm.
  let fullPower: Double

  init(_ described: Scenario.Anchor) {
    self.described = described
    fullPower = described.radio.transmitPower
  }
}

/// What can go wrong with an anchor. 0 means that it does not.
package enum AnchorFaultKind: String, CaseIterable, Sendable {
  /// 1: its stamps are in its own time, have 40 bits, or come without reply times.
  case localTime, shortStamps, noReplyTimes
  /// Metres of signal path by which its stamps are late.
  case lateStamps
  /// Shares of polls that it does not receive, of finals and rounds that it leaves out, of its stamps that are wild
  /// or jump by 2³² ticks, and of its frames that are lost.
  case missedPolls, missingFinals, missingRounds, wildStamps, wrappedStamps, lostFrames
  /// Decibels that its transmitter is too weak.
  case weak
  /// Metres by which it says that it is too far east.
  case wrongSurvey

  /// The values that make sense.
  package var range: ClosedRange<Double> {
    switch self {
    case .lateStamps: -1000...1000
    case .weak: 0...60
    case .wrongSurvey: -100...100
    case .localTime, .shortStamps, .noReplyTimes, .missedPolls, .missingFinals, .missingRounds, .wildStamps,
      .wrappedStamps, .lostFrames:
      0...1
    }
  }
}

extension HostedAnchor {
  func value(of fault: AnchorFaultKind) -> Double {
    switch fault {
    case .localTime: described.usesLocalTime ? 1 : 0
    case .shortStamps: described.hasShortStamps ? 1 : 0
    case .noReplyTimes: described.omitsReplyTimes ? 1 : 0
    case .lateStamps: described.lateStamps
    case .missedPolls: described.missedPolls
    case .missingFinals: described.missingFinals
    case .missingRounds: described.missingRounds
    case .wildStamps: described.wildStamps
    case .wrappedStamps: described.wrappedStamps
    case .lostFrames: described.extraLoss
    case .weak: fullPower - described.radio.transmitPower
    case .wrongSurvey: (described.surveyed ?? described.position).x - described.position.x
    }
  }

  mutating func set(_ fault: AnchorFaultKind, _ value: Double) {
    let value = min(max(value, fault.range.lowerBound), fault.range.upperBound)
    switch fault {
    case .localTime: described.usesLocalTime = value > 0
    case .shortStamps: described.hasShortStamps = value > 0
    case .noReplyTimes: described.omitsReplyTimes = value > 0
    case .lateStamps: described.lateStamps = value
    case .missedPolls: described.missedPolls = value
    case .missingFinals: described.missingFinals = value
    case .missingRounds: described.missingRounds = value
    case .wildStamps: described.wildStamps = value
    case .wrappedStamps: described.wrappedStamps = value
    case .lostFrames: described.extraLoss = value
    case .weak: described.radio.transmitPower = fullPower - value
    case .wrongSurvey:
      described.surveyed = value == 0 ? nil : described.position + SIMD3(value, 0, 0)
    }
  }
}

extension HostedWorld {
  /// Maximum number of anchors that people may add.
  static let anchorLimit = 500

  /// Adds the scenario's anchors to the world.
  mutating func addAnchors(of scenario: Scenario) {
    air.addAnchors(of: scenario, at: time)
    anchors = scenario.anchors.map(HostedAnchor.init)
  }

  mutating func placeAnchor(_ anchor: Int, at position: SIMD3<Double>) {
    air.medium.world.place(air.anchors[anchor].body, at: position)
  }

  /// Sets one fault of an anchor; 0 repairs it.
  mutating func setFault(_ fault: AnchorFaultKind, _ value: Double, ofAnchor index: Int) {
    anchors[index].set(fault, value)
    let described = anchors[index].described
    let radio = air.anchors[index].radio
    switch fault {
    case .lostFrames: break
    case .weak:
      let isOn = air.anchors[index].isOn
      air.medium.world.replaceRadio(
        radio, described.radio, identity: StableHash.of(described.name))
      air.medium.world.setRadio(radio, isOn: isOn)
    case .localTime, .shortStamps, .noReplyTimes, .lateStamps, .missedPolls, .missingFinals, .missingRounds,
      .wildStamps, .wrappedStamps, .wrongSurvey:
      restart(index)
    }
    air.medium.world.setExtraLoss(described.extraLoss, ofRadio: radio)
  }

  /// Passes an anchor's description to its chip.
  private mutating func restart(_ index: Int) {
    let setup = AnchorSetup(
      anchors[index].described,
      responders: Scenario.responders(of: anchors[index].described, among: anchors.map(\.described)))
    air.changeAnchor(index, at: time) { $0 = setup }
  }

  /// Why an anchor cannot be added; `nil` if it can.
  func refusal(ofAnchor name: String, network: UInt32) -> WorldRefusal? {
    if anchors.contains(where: { $0.described.name == name }) {
      return WorldRefusal(description: "name: there already is an anchor '\(name)'")
    }
    guard anchors.count < Self.anchorLimit else {
      return WorldRefusal(description: "addAnchor: \(anchors.count) anchors, and no more are added")
    }
    let members = anchors.map(\.described).filter { $0.network == network }
    if members.isEmpty { return nil }
    if freeAddress(in: network) == nil {
      return WorldRefusal(description: "addAnchor: network \(network) has no free address")
    }
    guard !joinable(network).isEmpty else {
      return WorldRefusal(
        description: "addAnchor: no round of network \(network) has a free slot; add one of another network")
    }
    return nil
  }

  /// Adds an anchor. The first of a network begins its round; any other answers the nearest initiator that has a free
  /// slot.
  mutating func addAnchor(_ name: String, network: UInt32, at position: SIMD3<Double>) {
    guard let address = freeAddress(in: network) else { return }
    var anchor = Scenario.Anchor(name: name, network: network, address: address, position: position)
    let initiator = joinable(network).min { distance($0, position) < distance($1, position) }
    if let initiator, let round = anchors[initiator].described.begins {
      anchor.answers = [round]
      anchor.blockMilliseconds = anchors[initiator].described.blockMilliseconds
      anchor.slots = anchors[initiator].described.slots
    } else {
      anchor.begins = 0
      anchor.isTimeReference = true
    }
    let body = air.medium.world.addBody(.standing(position))
    let setup = AnchorSetup(anchor, responders: [])
    guard air.addAnchor(named: name, setup, anchor.radio, body: body, at: time) != nil else { return }
    anchors.append(HostedAnchor(anchor))
    if let initiator { restart(initiator) }
    deviceChanges += 1
  }

  /// The anchors that begin a round of a network in which one more responder has a slot.
  private func joinable(_ network: UInt32) -> [Int] {
    let all = anchors.map(\.described)
    return all.indices.filter { index in
      guard all[index].network == network, all[index].begins != nil else { return false }
      // The poll, the responders and the final.
      return Scenario.responders(of: all[index], among: all).count + 3 <= Int(all[index].slots)
    }
  }

  private func distance(_ anchor: Int, _ position: SIMD3<Double>) -> Double {
    let across = air.medium.world.pose(of: air.anchors[anchor].body, at: time).positionInWorld - position
    return (across * across).sum()
  }

  /// The lowest address that no anchor of a network has; `nil` if there is none.
  private func freeAddress(in network: UInt32) -> UInt16? {
    let taken = Set(anchors.lazy.map(\.described).filter { $0.network == network }.map(\.address))
    return (1...UInt16.max).first { !taken.contains($0) }
  }
}
