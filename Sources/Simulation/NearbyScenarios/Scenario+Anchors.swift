import NearbySimulator

extension Scenario {
  /// An anchor of a DL-TDoA network: a radio at a known place to which phones listen.
  package struct Anchor: Equatable, Sendable {
    package var name: String
    package var network: UInt32
    package var address: UInt16
    package var position: SIMD3<Double>
    /// Where it says it is; `nil` for its position.
    package var surveyed: SIMD3<Double>?
    /// The round of each block that it begins; all anchors of its network that answer the round are polled.
    package var begins: UInt8?
    /// The rounds that it answers.
    package var answers: [UInt8]
    package var isTimeReference: Bool
    /// Milliseconds between blocks, and slots of 2 ms in a round.
    package var blockMilliseconds: UInt32
    package var slots: UInt8
    package var radio: RadioCharacteristics
    package var advertises: Bool
    /// Its stamps are in its own time instead of the network's.
    package var usesLocalTime: Bool
    /// Its stamps have 40 bits instead of 64.
    package var hasShortStamps: Bool
    package var omitsReplyTimes: Bool
    /// Shares from 0 to 1: of polls that do not reach it, of its finals and rounds that it leaves out, and of
    /// its stamps that jump by the period of a 32-bit counter.
    package var missedPolls: Double
    package var missingFinals: Double
    package var missingRounds: Double
    package var wrappedStamps: Double
    /// Share of its stamps that are wrong by up to 100 m of signal path.
    package var wildStamps = 0.0
    /// How late all its stamps are, metres of signal path.
    package var lateStamps: Double
    /// Chance of losing a frame in addition to losses from low power, 0 to 1.
    package var extraLoss: Double

    /// An anchor without faults.
    package init(
      name: String, network: UInt32, address: UInt16, position: SIMD3<Double>, begins: UInt8? = nil,
      answers: [UInt8] = []
    ) {
      self.name = name
      self.network = network
      self.address = address
      self.position = position
      self.begins = begins
      self.answers = answers
      isTimeReference = false
      blockMilliseconds = 200
      slots = 10
      radio = .anchor
      advertises = true
      (usesLocalTime, hasShortStamps, omitsReplyTimes) = (false, false, false)
      (missedPolls, missingFinals, missingRounds, wrappedStamps) = (0, 0, 0, 0)
      (lateStamps, extraLoss) = (0, 0)
    }
  }

  /// The addresses that an anchor polls in the round that it begins, in file order.
  package func responders(of anchor: Anchor) -> [UInt16] { Self.responders(of: anchor, among: anchors) }

  /// The addresses that an anchor polls in the round that it begins, in the order of the list.
  package static func responders(of anchor: Anchor, among anchors: [Anchor]) -> [UInt16] {
    guard let round = anchor.begins else { return [] }
    return anchors.filter {
      $0.network == anchor.network && $0.name != anchor.name && $0.answers.contains(round)
    }.map(\.address)
  }
}
