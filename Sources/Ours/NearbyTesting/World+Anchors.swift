import NearbyAirs
import NearbyExchange
import NearbySimulated
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB

/// An anchor of a DL-TDoA network: a radio at a known place to which phones listen
/// (`NIDLTDOAConfiguration`).
public struct AnchorProfile: Sendable, Hashable {
  /// What an anchor does in one ranging round of each block.
  public enum Role: Sendable, Hashable {
    /// Begins the round and polls these anchors, which answer in this order.
    case initiator(round: Int, responders: [Int])
    /// Answers polls of the round.
    case responder(round: Int)
  }

  /// The network's number, `networkIdentifier` of `NIDLTDOAConfiguration`, 0 to 2³² − 1.
  public var network: Int
  /// Distinct within the network, 0 to 65 535.
  public var address: Int
  /// Its rounds. With both roles an anchor is a bridge: it passes blocks and time on to its own cluster.
  public var roles: [Role]
  /// Whether the network's time is this anchor's clock. Without any, each cluster has its own time.
  public var isTimeReference = false
  /// Whether it advertises its network over Bluetooth.
  public var advertises = true
  /// Milliseconds between blocks, 20 to 10 000.
  public var blockMilliseconds = 200
  /// Slots of 2 ms in a round, 2 to 100.
  public var slotsPerRound = 10
  /// Its radio's power, dB relative to a usual one.
  public var power = 0.0

  /// Creates an anchor's profile.
  public init(network: Int, address: Int, roles: [Role]) {
    self.network = network
    self.address = address
    self.roles = roles
  }

  func setup(at place: SIMD3<Double>) -> AnchorSetup {
    func short(_ address: Int) -> UInt16 { UInt16(truncatingIfNeeded: address) }
    var radio = AnchorRadio()
    radio.blockMilliseconds = UInt32(min(max(blockMilliseconds, 20), 10_000))
    radio.slotsPerRound = UInt8(min(max(slotsPerRound, 2), 100))
    return AnchorSetup(
      network: UInt32(truncatingIfNeeded: network), address: short(address),
      rounds: roles.map { role in
        switch role {
        case .initiator(let round, let responders):
          .initiator(
            round: UInt8(clamping: round),
            UCIAnchorResponders(addresses: responders.map { .short(short($0)) }))
        case .responder(let round): .responder(round: UInt8(clamping: round))
        }
      },
      location: .relative(metres: place), isTimeReference: isTimeReference, radio: radio)
  }
}

/// What goes wrong with an anchor; each as real anchors were seen to do.
public enum AnchorFault: Sendable, Hashable {
  /// Its stamps are in its own time instead of the network's: wrong by metres or kilometres.
  case localTime
  /// This share (0 to 1) of polls does not reach it. It stays silent in those rounds.
  case missedPolls(Double)
  /// This share of its finals is not sent.
  case missingFinals(Double)
  /// It leaves out this share of the rounds that it begins.
  case missingRounds(Double)
  /// It sends no reply times.
  case noReplyTimes
  /// All stamps of its messages are late by this length of signal path, metres.
  case lateStamps(Double)
  /// This share of its stamps jumps by the period of a 32-bit counter, 67 ms.
  case wrappedStamps(Double)
  /// This share of its stamps is wrong by up to 100 m of signal path.
  case wildStamps(Double)
  /// Its stamps have 40 bits and return to 0 every 17.2 s.
  case shortStamps
  /// It says that it is somewhere else: metres.
  case wrongSurvey(SIMD3<Double>)
  /// This share of its frames is lost, in either direction.
  case lostFrames(Double)
}

/// An anchor in a world.
public final class AnchorHandle: Sendable {
  /// The name under which the anchor was added.
  public let name: String
  /// Its address in its network.
  public let address: Int
  private let world: World
  let index: Int

  init(name: String, address: Int, world: World, index: Int) {
    self.name = name
    self.address = address
    self.world = world
    self.index = index
  }

  /// The anchor's true position, in metres.
  public var position: SIMD3<Double> {
    let body = world.pump.anchor(index).body
    return world.pump.withWorld { $0.pose(of: body, at: $1).positionInWorld }
  }

  /// Moves the anchor to a position (metres). It still says that it is where it was surveyed.
  public func place(at position: SIMD3<Double>) {
    let body = world.pump.anchor(index).body
    world.pump.withWorld { world, _ in world.place(body, at: position) }
  }

  /// Switches the anchor off.
  public func switchOff() { world.pump.setAnchor(index, isOn: false) }

  /// Switches the anchor on again.
  public func switchOn() { world.pump.setAnchor(index, isOn: true) }

  /// How many steps the anchor is from the time reference of its network; `nil` while it does not know.
  public var hopCount: Int? { world.pump.hopCount(ofAnchor: index).map { Int($0) } }

  /// Lets something go wrong from now on, in addition to what does already.
  public func cause(_ fault: AnchorFault) {
    if case .lostFrames(let share) = fault {
      let radio = world.pump.anchor(index).radio
      return world.pump.withWorld { world, _ in world.setExtraLoss(share, ofRadio: radio) }
    }
    world.pump.changeAnchor(index) { $0.apply(fault) }
  }

  /// Repairs all faults.
  public func repair() {
    let (radio, body) = (world.pump.anchor(index).radio, world.pump.anchor(index).body)
    let place = world.pump.withWorld { world, now in
      world.setExtraLoss(0, ofRadio: radio)
      return world.pose(of: body, at: now).positionInWorld
    }
    world.pump.changeAnchor(index) { setup in
      setup.faults = AnchorFaults()
      (setup.usesCommonTimeBase, setup.hasLongStamps) = (true, true)
      setup.location = .relative(metres: place)
    }
  }
}

extension AnchorSetup {
  /// Applies a fault; lost frames concern the radio instead.
  package mutating func apply(_ fault: AnchorFault) {
    switch fault {
    case .localTime: usesCommonTimeBase = false
    case .missedPolls(let share): faults.pollLoss = share
    case .missingFinals(let share): faults.finalLoss = share
    case .missingRounds(let share): faults.roundLoss = share
    case .noReplyTimes: faults.omitsReplyTimes = true
    case .lateStamps(let metres): faults.stampOffset = metres
    case .wrappedStamps(let share): faults.wrapChance = share
    case .wildStamps(let share): faults.wildChance = share
    case .shortStamps: hasLongStamps = false
    case .wrongSurvey(let place): location = .relative(metres: place)
    case .lostFrames: break
    }
  }
}

extension World {
  /// Adds an anchor.
  ///
  /// - Parameters:
  ///   - name: Distinct from the names of other anchors and devices; seeds its clock and noise.
  ///   - position: Metres; x east, y north, z up.
  ///   - profile: Its network and rounds. A profile whose rounds do not fit its blocks is a programming error.
  @discardableResult
  public func addAnchor(
    _ name: String, at position: SIMD3<Double>, _ profile: AnchorProfile
  ) -> AnchorHandle {
    let body = pump.withWorld { world, _ in world.addBody(.standing(position)) }
    var radio = RadioCharacteristics.anchor
    radio.transmitPower += profile.power
    let index = pump.addAnchor(
      named: name, profile.setup(at: position), radio, body: body, advertises: profile.advertises)
    guard let index else {
      preconditionFailure("the rounds of anchor \(name) do not fit its blocks: \(profile.roles)")
    }
    return AnchorHandle(name: name, address: profile.address, world: self, index: index)
  }

  /// Adds a cluster of anchors with one round: the first begins it, the others answer.
  ///
  /// - Parameters:
  ///   - network: The network's number.
  ///   - positions: Metres, of at least two anchors.
  ///   - firstAddress: The address of the first; the others follow.
  ///   - round: The cluster's round in each block.
  ///   - isTimeReference: Whether the first anchor's clock is the network's time.
  @discardableResult
  public func addAnchors(
    network: Int, at positions: [SIMD3<Double>], firstAddress: Int = 1, round: Int = 0,
    isTimeReference: Bool = true
  ) -> [AnchorHandle] {
    let addresses = positions.indices.map { firstAddress + $0 }
    return zip(positions, addresses).map { position, address in
      let isFirst = address == firstAddress
      var profile = AnchorProfile(
        network: network, address: address,
        roles: [
          isFirst
            ? .initiator(round: round, responders: Array(addresses.dropFirst())) : .responder(round: round)
        ])
      profile.isTimeReference = isFirst && isTimeReference
      return addAnchor("anchor \(network)/\(address)", at: position, profile)
    }
  }
}
