import NearbyOctets

/// The counted octets of one direction of a connection that are not acknowledged yet.
///
/// Frames go into blocks, many small ones into one, so that a write of the shell carries many. A block that
/// was handed out stays, shared and not copied, until the peer has acknowledged it; where a link is lost the
/// octets from the peer's count on are handed out again.
package struct Outbox: Sendable {
  /// Aimed at, for one write.
  static let blockSize = 65_536
  /// From here on a payload is a block of its own.
  static let largePayload = 16_384

  private struct Block: Sendable {
    let start: Int
    let end: Int
    /// Empty once it was acknowledged.
    var octets: [UInt8]
    /// Whether the last frame's payload is the next block.
    let isCut: Bool
  }

  /// Sealed blocks, from the oldest; those before `head` are acknowledged.
  private var blocks: [Block] = []
  private var head = 0
  /// The next block to hand out, an index of `blocks`.
  private var next = 0
  /// The block that frames are added to.
  private var open: [UInt8] = []
  private var openStart = 0
  /// What of `blocks[next]` must not be handed out again, after a rewind into it.
  private var skipped = 0
  /// Blocks that were acknowledged, kept to be filled anew: returning their pages to the system and taking
  /// them again costs more than everything else here.
  private var spares: [[UInt8]] = []
  private static let maximumSpares = 8
  /// Counted octets before the first that is kept.
  package private(set) var acknowledged = 0
  /// Counted octets that were handed out.
  package private(set) var handedOut = 0
  /// The most that `handedOut` ever was.
  private var handedOutAtMost = 0
  /// Whether other frames may be written before the next block.
  package private(set) var isBetweenFrames = true

  package init() {}

  /// Counted octets in all.
  package var end: Int { openStart + open.count }
  /// Octets that wait or are not acknowledged.
  package var held: Int { end - acknowledged }
  /// Octets that wait to be handed out.
  package var waiting: Int { end - handedOut }

  /// Adds a frame of payload that is copied.
  @inline(__always)
  package mutating func append(_ type: PeerFrameType, _ payload: Span<UInt8>) {
    makeRoom(for: payload.count &+ FrameHeader.size)
    FrameHeader.write(type, count: payload.count, to: &open)
    open.append(copying: payload)
  }

  /// Adds a frame of payload that is kept as it is where it is large.
  package mutating func append(_ type: PeerFrameType, _ payload: [UInt8]) {
    guard payload.count >= Self.largePayload else { return append(type, payload.span) }
    FrameHeader.write(type, count: payload.count, to: &open)
    seal(isCut: true)
    add(block: payload, isCut: false)
  }

  /// Adds a piece of a resource or a stream.
  package mutating func append(_ type: PeerFrameType, _ id: TransferID, _ payload: Span<UInt8>) {
    makeRoom(for: payload.count + FrameHeader.size + 4)
    FrameHeader.write(type, count: payload.count + 4, to: &open)
    open.append(littleEndian: id.number)
    open.append(copying: payload)
  }

  /// Adds a small frame.
  package mutating func append(_ frame: PeerFrame) {
    frame.write(to: &open)
    if open.count >= Self.blockSize { seal() }
  }

  /// The next octets to write, `nil` where nothing waits. They are whole frames, or a whole part of one.
  package mutating func takeBlock() -> [UInt8]? {
    if next == blocks.count { seal() }
    guard next < blocks.count else { return nil }
    let block = blocks[next]
    next += 1
    handedOut = block.end
    handedOutAtMost = Swift.max(handedOutAtMost, handedOut)
    isBetweenFrames = !block.isCut
    guard skipped > 0 else { return block.octets }
    defer { skipped = 0 }
    return Array(block.octets[skipped...])
  }

  /// The peer has so many counted octets. Less than before means nothing.
  ///
  /// - Returns: False where the peer says it has what was never handed out.
  package mutating func acknowledge(_ count: Int) -> Bool {
    guard count <= handedOutAtMost else { return false }
    guard count > acknowledged else { return true }
    acknowledged = count
    while head < next, blocks[head].end <= count {
      var octets: [UInt8] = []
      swap(&octets, &blocks[head].octets)
      if spares.count < Self.maximumSpares, octets.capacity / 2 <= Self.blockSize, octets.count > 4096 {
        spares.append(octets)
      }
      head += 1
    }
    if head > 32 || head == blocks.count {
      blocks.removeFirst(head)
      next -= head
      head = 0
    }
    return true
  }

  /// Hands out again from an offset on, for a new link.
  ///
  /// - Returns: False where those octets are gone, or never were.
  package mutating func rewind(to offset: Int) -> Bool {
    guard offset <= handedOut, acknowledge(offset), offset >= acknowledged else { return false }
    isBetweenFrames = true
    guard offset < handedOut else { return true }
    guard let index = blocks[head...].firstIndex(where: { $0.end > offset }) else { return false }
    next = index
    skipped = offset - blocks[index].start
    handedOut = offset
    return true
  }

  @inline(__always)
  private mutating func makeRoom(for count: Int) {
    if open.count &+ count > Self.blockSize { seal() }
    if open.isEmpty { begin(count) }
  }

  private mutating func begin(_ count: Int) {
    // The first of what follows a full block; small traffic stays in small arrays.
    if let spare = spares.popLast() {
      open = spare
      open.removeAll(keepingCapacity: true)
    }
    open.reserveCapacity(Swift.max(count, 512))
  }

  private mutating func seal(isCut: Bool = false) {
    guard !open.isEmpty else { return }
    let octets = open
    open = []
    add(block: octets, isCut: isCut)
  }

  private mutating func add(block octets: [UInt8], isCut: Bool) {
    blocks.append(Block(start: openStart, end: openStart + octets.count, octets: octets, isCut: isCut))
    openStart += octets.count
  }
}
