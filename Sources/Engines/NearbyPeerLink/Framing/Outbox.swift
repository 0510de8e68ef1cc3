import NearbyOctets

/// The counted octets of one direction of a connection that are not acknowledged yet.
///
/// Frames are gathered in blocks, so that one write of the shell carries many small frames. A block that was
/// handed out is kept, shared and not copied, until the peer has acknowledged it. When a link is lost, the
/// octets that the peer has not received are handed out again.
package struct Outbox: Sendable {
  /// Size of a block to aim for, for one write.
  static let blockSize = 65_536
  /// Payloads of at least this size become a block of their own.
  static let largePayload = 16_384

  private struct Block: Sendable {
    let start: Int
    let end: Int
    /// Empty once acknowledged.
    var octets: [UInt8]
    /// Whether the payload of the last frame is in the next block.
    let isCut: Bool
  }

  /// Sealed blocks, the oldest first; those before `head` are acknowledged.
  private var blocks: [Block] = []
  private var head = 0
  /// Index in `blocks` of the next block to hand out.
  private var next = 0
  /// The block to which frames are added.
  private var open: [UInt8] = []
  private var openStart = 0
  /// Octets at the start of `blocks[next]` that the peer already has, after a rewind into the block.
  private var skipped = 0
  /// Acknowledged blocks that are kept for reuse, because returning their pages to the system and getting new
  /// ones costs more than everything else here.
  private var spares: [[UInt8]] = []
  private static let maximumSpares = 8
  /// Counted octets that are acknowledged.
  package private(set) var acknowledged = 0
  /// Counted octets that have been handed out.
  package private(set) var handedOut = 0
  /// Largest value that `handedOut` ever had.
  private var handedOutAtMost = 0
  /// Whether other frames may be written before the next block.
  package private(set) var isBetweenFrames = true

  package init() {}

  /// Total number of counted octets.
  package var end: Int { openStart + open.count }
  /// Octets that are queued or not acknowledged.
  package var held: Int { end - acknowledged }
  /// Octets that are queued.
  package var waiting: Int { end - handedOut }

  /// Appends a frame, copying its payload.
  @inline(__always)
  package mutating func append(_ type: PeerFrameType, _ payload: Span<UInt8>) {
    makeRoom(for: payload.count &+ FrameHeader.size)
    FrameHeader.write(type, count: payload.count, to: &open)
    open.append(copying: payload)
  }

  /// Appends a frame; a large payload is kept without copying.
  package mutating func append(_ type: PeerFrameType, _ payload: [UInt8]) {
    guard payload.count >= Self.largePayload else { return append(type, payload.span) }
    FrameHeader.write(type, count: payload.count, to: &open)
    seal(isCut: true)
    add(block: payload, isCut: false)
  }

  /// Appends a piece of a resource or stream.
  package mutating func append(_ type: PeerFrameType, _ id: TransferID, _ payload: Span<UInt8>) {
    makeRoom(for: payload.count + FrameHeader.size + 4)
    FrameHeader.write(type, count: payload.count + 4, to: &open)
    open.append(littleEndian: id.number)
    open.append(copying: payload)
  }

  /// Appends a small frame.
  package mutating func append(_ frame: PeerFrame) {
    frame.write(to: &open)
    if open.count >= Self.blockSize { seal() }
  }

  /// The next octets to write: whole frames, or one complete part of a frame; `nil` if nothing is queued.
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

  /// Notes that the peer has received this many counted octets. A smaller number than before is ignored.
  ///
  /// - Returns: `false` if the peer claims octets that were never handed out.
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

  /// Continues from an offset, on a new link.
  ///
  /// - Returns: `false` if those octets are acknowledged already or were never handed out.
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
    // Spares exist only after large blocks, so that light traffic stays in small arrays.
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
