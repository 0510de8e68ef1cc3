import NearbyMaths
import NearbySchedule
import NearbySimulator

extension Scenario {
  /// An anchor as a listener records it and as a layout judges it.
  package struct ListenedAnchor: Equatable, Sendable {
    /// Where the scenario describes it.
    package enum Source: Equatable, Sendable {
      /// Index into `anchors`.
      case network(Int)
      /// Index into `devices`.
      case device(Int)
    }

    package var name: String
    /// Its number in a recording: the address in its network, or its device's number.
    package var id: Int
    /// Metres, at the start.
    package var position: SIMD3<Double>
    /// Where it says it is, metres.
    package var surveyed: SIMD3<Double>
    package var radio: RadioCharacteristics
    package var source: Source
  }

  /// The anchors of the first network, or, in a scenario without `anchors`, the accessories that never move.
  package var listenedAnchors: [ListenedAnchor] {
    guard let network = anchors.first?.network else { return restingAccessories }
    return anchors.indices.filter { anchors[$0].network == network }.map { index in
      let anchor = anchors[index]
      return ListenedAnchor(
        name: anchor.name, id: Int(anchor.address), position: anchor.position,
        surveyed: anchor.surveyed ?? anchor.position, radio: anchor.radio, source: .network(index))
    }
  }

  private var restingAccessories: [ListenedAnchor] {
    let world = SimulatedWorld(self)
    return devices.indices.filter { devices[$0].kind == .accessory && rests($0) }.map { index in
      let position = world.pose(of: BodyID(index: index), at: .zero).positionInWorld
      return ListenedAnchor(
        name: devices[index].name, id: index, position: position, surveyed: position,
        radio: devices[index].radio, source: .device(index))
    }
  }
}

/// The radios of the anchors to which a listener listens, and what goes wrong with each.
struct ListenedRadios {
  private struct Entry {
    var radio: Int
    var body: BodyID
    /// The scenario's anchor; `nil` for a device.
    var anchor: Scenario.Anchor?
    /// Error of its stamps if they are in its own time, metres of signal path.
    var localTime: Double
  }

  /// Largest error of a wild stamp, and of one in the anchor's own time, metres of signal path.
  private static let wildest = 100.0
  private static let strangest = 1e6
  /// Path of a signal in one period of a 32-bit counter, metres.
  private static let wrap = speedOfLight * 0x1p32 / RadioClock.rate

  private var entries: [Entry] = []
  /// Entries by index into the scenario's `anchors`.
  private var numbers: [Int: Int] = [:]

  /// Adds the radios of the networks' anchors to a world; devices have theirs already.
  init(_ anchors: [Scenario.ListenedAnchor], of scenario: Scenario, in world: inout SimulatedWorld) {
    for anchor in anchors {
      switch anchor.source {
      case .device(let index):
        entries.append(Entry(radio: index, body: BodyID(index: index), anchor: nil, localTime: 0))
      case .network(let index):
        let described = scenario.anchors[index]
        let body = world.addBody(.standing(described.position))
        let identity = StableHash.of(described.name)
        let radio = world.addRadio(on: body, described.radio, identity: identity)
        world.setExtraLoss(described.extraLoss, ofRadio: radio)
        var noise = NoiseStream(seed: scenario.seed, identity, StableHash.of("local time"))
        numbers[index] = entries.count
        entries.append(
          Entry(
            radio: radio, body: body, anchor: described,
            localTime: described.usesLocalTime ? (2 * noise.uniform() - 1) * Self.strangest : 0))
      }
    }
  }

  /// The world's radio of an anchor of the plan.
  func radio(_ number: Int) -> Int { entries[number].radio }

  /// The error that an anchor's faults add to one frame, metres; `nil` if they keep the frame from being sent.
  func fault(_ number: Int, noise: inout NoiseStream) -> Double? {
    guard let anchor = entries[number].anchor else { return 0 }
    let isPolled = anchor.missedPolls == 0 || noise.uniform() >= anchor.missedPolls
    guard isPolled else { return nil }
    var error = anchor.lateStamps + entries[number].localTime
    if anchor.wildStamps > 0, noise.uniform() < anchor.wildStamps {
      error += (2 * noise.uniform() - 1) * Self.wildest
    }
    if anchor.wrappedStamps > 0, noise.uniform() < anchor.wrappedStamps { error += Self.wrap }
    return error
  }

  /// Applies a scenario event to an anchor of a network.
  func perform(_ event: Scenario.Event, in world: inout SimulatedWorld) {
    guard let index = event.anchor, let number = numbers[index] else { return }
    let entry = entries[number]
    switch event.action {
    case .switchOff: world.setRadio(entry.radio, isOn: false)
    case .switchOn: world.setRadio(entry.radio, isOn: true)
    case .lose(let share): world.setExtraLoss(share, ofRadio: entry.radio)
    case .place(let position): world.place(entry.body, at: position)
    case .suspend, .resume, .allow, .deny, .walk, .turn, .build: break
    }
  }
}
