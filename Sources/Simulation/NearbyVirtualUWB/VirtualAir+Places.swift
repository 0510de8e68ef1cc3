/// Where in its block a session's round lies, and how one chip keeps its own sessions apart.
///
/// IEEE 802.15.4z lets the controller's control message name the round of the next block, whatever the controlee
/// was set to. A controlee that missed the message does not know which round is next: it listens throughout the
/// block, as at a session's start, so that the controller may choose without asking. With HOPPING_MODE 2, which
/// Android's stack and car keys call adaptive hopping, the controller stays in a round that works and takes
/// another one when it is lost: sessions of chips that know nothing of each other come to lie side by side.
extension VirtualAir {
  /// Candidates of one block that are looked at.
  private static var candidates: UInt64 { 8 }

  /// A block of a session that hops when rounds are lost begins: it stays, or takes the first of its candidates
  /// that no other session of the chip is in.
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

  private func isClear(_ run: SessionRun) -> Bool {
    let start = run.roundStart
    return !otherInitiators(run).contains { Self.delay(run, from: start, past: $0) > 0 }
  }

  /// Moves a first round out of the way of the chip's own other sessions.
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

  /// The same chip's other sessions that begin rounds.
  private func otherInitiators(_ run: SessionRun) -> [SessionRun] {
    chips[Int(run.reference.chip)].sessions.compactMap { session in
      guard let reference = session?.run?.reference, reference != run.reference,
        let other = self.run(reference), other.round.isInitiator
      else { return nil }
      return other
    }
  }

  /// How much later than `start` a round has to begin to be clear of another session's; 0 where it is, or where
  /// the two do not fit in one block.
  private static func delay(_ run: SessionRun, from start: Int64, past other: SessionRun) -> Int64 {
    // Blocks of different lengths meet at each of their common divisor's multiples.
    let block = commonDivisor(run.round.blockDuration, other.round.blockDuration)
    let length = run.layout.end
    guard length + other.layout.end <= block else { return 0 }
    // Where a session hops in each block nothing is known but its block.
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
  /// Two rounds lost in a row, or every second one for a while: the round in the block is given up.
  static var mostTrouble: UInt8 { 4 }
}
