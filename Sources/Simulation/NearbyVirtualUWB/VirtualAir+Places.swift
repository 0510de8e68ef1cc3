/// Where a session's round lies in its block, and how a chip keeps its own sessions apart.
///
/// IEEE 802.15.4z lets the controller's control message name the round of the next block, whatever the
/// controlee's configuration. A controlee that missed the message does not know the next round and listens
/// throughout the block, as at the start of a session. The controller may therefore choose rounds freely.
///
/// With HOPPING_MODE 2, which Android's stack and digital car keys call adaptive hopping, the controller
/// stays in a round that works and moves to another one when rounds are lost. In this way sessions of chips
/// that know nothing of each other end up side by side.
extension VirtualAir {
  /// The number of candidate rounds tried in one block.
  private static var candidates: UInt64 { 8 }

  /// Chooses the round of a new block for a session that hops when rounds are lost: keeps it, or takes the
  /// first candidate that no other session of the chip uses.
  mutating func chooseRound(_ place: Int) {
    guard runs[place].trouble >= SessionRun.mostTrouble else { return }
    runs[place].trouble = SessionRun.mostTrouble - 2
    var moved = runs[place]
    for number in 0..<Self.candidates {
      moved.roundInBlock = RoundHopping.candidate(number, moved.round, block: moved.block)
      guard moved.roundInBlock != runs[place].roundInBlock, isClear(moved) else { continue }
      runs[place].roundInBlock = moved.roundInBlock
      return
    }
  }

  /// Whether a run's next round overlaps none of the chip's other sessions.
  private func isClear(_ run: SessionRun) -> Bool {
    let start = run.roundStart
    return !otherInitiators(run).contains { Self.delay(run, from: start, past: $0) > 0 }
  }

  /// Returns when a session's first block may begin so that its rounds do not overlap those of the chip's
  /// other sessions.
  func freeStart(_ run: SessionRun) -> Int64 {
    var start = run.blockStart
    let others = otherInitiators(run)
    for _ in 0..<8 {
      let before = start
      for other in others { start += Self.delay(run, from: start, past: other) }
      if start == before { break }
    }
    return start
  }

  /// The chip's other running sessions in which it is the initiator.
  private func otherInitiators(_ run: SessionRun) -> [SessionRun] {
    chips[Int(run.reference.chip)].sessions.compactMap { session in
      guard let reference = session?.run?.reference, reference != run.reference,
        let other = self.run(reference), other.round.isInitiator
      else { return nil }
      return other
    }
  }

  /// The delay in nanoseconds after which a round that would begin at `start` no longer overlaps the rounds
  /// of another session; 0 if it does not overlap them or if both do not fit into one block.
  private static func delay(_ run: SessionRun, from start: Int64, past other: SessionRun) -> Int64 {
    // Rounds in blocks of different lengths meet at multiples of the lengths' common divisor.
    let block = commonDivisor(run.round.blockDuration, other.round.blockDuration)
    let length = run.layout.end
    guard length + other.layout.end <= block else { return 0 }
    // A session that hops in every block could use any of its rounds; only the start of the block is known.
    let occupied = other.round.hops ? other.blockStart : other.roundStart
    let phase = ((start - occupied) % block + block) % block
    if phase < other.layout.end { return other.layout.end - phase }
    return phase + length > block ? block - phase + other.layout.end : 0
  }

  private static func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (large, small) = (max(first, 1), second)
    while small > 0 { (large, small) = (small, large % small) }
    return large
  }
}

extension SessionRun {
  /// The level of `trouble` at which a session changes its round: two lost rounds in a row, or every second
  /// one for some time.
  static var mostTrouble: UInt8 { 4 }
}
