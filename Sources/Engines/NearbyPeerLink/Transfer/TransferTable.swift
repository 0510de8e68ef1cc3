/// The resources and streams of one connection. It is a part of `PeerNode`, and as pure as that.
///
/// Each transfer is limited by what its receiver has granted, so memory stays constant however much passes.
/// Requests append frames to the connection's `Outbox`; what the owner has to know is collected in `events`.
struct TransferTable: Sendable {
  struct OutgoingResource: Sendable {
    let id: TransferID
    let size: UInt64?
    var sent: UInt64 = 0
    /// Octets granted in total, and those of them that were granted before anything was stored.
    var credit: UInt64 = 0
    var firstCredit: UInt64 = 0
    /// Whether a piece was requested from the owner and has not been provided.
    var isReading = false
    var isComplete = false
  }

  struct IncomingResource: Sendable {
    let id: TransferID
    let size: UInt64?
    var received: UInt64 = 0
    var consumed: UInt64 = 0
    var granted: UInt64 = 0
    var isComplete = false
    /// The offered name, until the owner has been notified of the offer.
    var waitingName: String?
  }

  /// A stream. `sent` and `credit` count the outgoing direction, the next three the incoming one.
  struct ByteStream: Sendable {
    let id: TransferID
    var sent: UInt64 = 0
    var credit: UInt64 = 0
    var received: UInt64 = 0
    var consumed: UInt64 = 0
    var granted: UInt64 = 0
    /// Whether a write was cut short, so that the owner waits for `streamWritable`.
    var wantsRoom = false
    var hasEndedHere = false
    var hasEndedThere = false
  }

  let limits: PeerLimits
  let isLeader: Bool
  private(set) var outgoing: [OutgoingResource] = []
  private(set) var incoming: [IncomingResource] = []
  private(set) var streams: [ByteStream] = []
  /// Twice the number of transfers started here.
  private var made: UInt32 = 0
  /// The peer's latest number; its next one must be larger.
  private var lastOfPeer: TransferID?
  /// The resource that was read last, so that the others are read first.
  private var lastRead: TransferID?
  var events: [TransferEvent] = []

  init(limits: PeerLimits, isLeader: Bool) {
    self.limits = limits
    self.isLeader = isLeader
  }

  // MARK: The owner's requests

  /// Offers a resource to the peer.
  mutating func offer(
    name: String, size: UInt64?, _ outbox: inout Outbox
  ) throws(PeerLinkError) -> TransferID {
    let id = try makeID(name, count: outgoing.count)
    outgoing.append(OutgoingResource(id: id, size: size))
    outbox.append(.resourceOffer(id, size: size, name: name))
    return id
  }

  /// Accepts an offered resource by granting a first window.
  mutating func accept(_ id: TransferID, _ outbox: inout Outbox) throws(PeerLinkError) {
    let index = try incomingIndex(id)
    grant(index, &outbox)
  }

  /// Sends a piece of a resource that was read.
  ///
  /// - Parameter octets: Empty at the end of the resource.
  mutating func read(
    _ id: TransferID, _ octets: Span<UInt8>, _ outbox: inout Outbox
  ) throws(PeerLinkError) {
    guard let index = outgoing.firstIndex(where: { $0.id == id }) else {
      throw .request(.unknownTransfer(id))
    }
    guard !outgoing[index].isComplete else { throw .request(.transferEnded(id)) }
    let room = outgoing[index].credit - outgoing[index].sent
    guard UInt64(octets.count) <= room, octets.count <= limits.chunkSize else {
      throw .request(.tooLarge(count: octets.count, maximum: Int(min(room, UInt64(limits.chunkSize)))))
    }
    outgoing[index].isReading = false
    guard octets.count > 0 else {
      outgoing[index].isComplete = true
      return outbox.append(.resourceComplete(id))
    }
    outgoing[index].sent += UInt64(octets.count)
    outbox.append(.resourceChunk, id, octets)
    if outgoing[index].sent == outgoing[index].size {
      outgoing[index].isComplete = true
      outbox.append(.resourceComplete(id))
    }
  }

  /// Notes that octets of an incoming resource were stored, and grants more.
  mutating func consumed(
    resource id: TransferID, _ count: Int, _ outbox: inout Outbox
  ) throws(PeerLinkError) {
    let index = try incomingIndex(id)
    let left = incoming[index].received - incoming[index].consumed
    incoming[index].consumed += min(UInt64(clamping: count), left)
    grant(index, &outbox)
  }

  /// Confirms to the sender that the app has a complete resource.
  mutating func stored(_ id: TransferID, _ outbox: inout Outbox) throws(PeerLinkError) {
    let index = try incomingIndex(id)
    guard incoming[index].isComplete else { throw .request(.unknownTransfer(id)) }
    incoming.remove(at: index)
    outbox.append(.resourceStored(id))
    offerNext()
  }

  /// Cancels a resource in either direction.
  ///
  /// - Returns: Whether the resource existed.
  mutating func cancel(_ id: TransferID, _ reason: PeerReason, _ outbox: inout Outbox) -> Bool {
    guard removeResource(id) else { return false }
    outbox.append(.resourceCancel(id, reason))
    return true
  }

  /// The total to grant: as much again as was consumed; `nil` until that is worth a frame.
  private static func newTotal(consumed: UInt64, granted: UInt64, window: Int) -> UInt64? {
    let window = UInt64(window)
    let total = consumed + window
    return total - granted >= window / 4 ? total : nil
  }

  private mutating func grant(_ index: Int, _ outbox: inout Outbox) {
    let (consumed, granted) = (incoming[index].consumed, incoming[index].granted)
    guard
      let total = Self.newTotal(consumed: consumed, granted: granted, window: limits.resourceWindow)
    else { return }
    incoming[index].granted = total
    outbox.append(.resourceCredit(incoming[index].id, octets: total))
  }

  func incomingIndex(_ id: TransferID) throws(PeerLinkError) -> Int {
    guard let index = incoming.firstIndex(where: { $0.id == id }) else {
      throw .request(.unknownTransfer(id))
    }
    return index
  }

  /// The next number of this side's half; throws if the name is too long or too many transfers are running.
  mutating func makeID(_ name: String, count: Int) throws(PeerLinkError) -> TransferID {
    guard name.utf8.count <= PeerFrame.maximumName else {
      throw .request(.tooLarge(count: name.utf8.count, maximum: PeerFrame.maximumName))
    }
    guard count < limits.maximumTransfers else {
      throw .request(.tooManyTransfers(maximum: limits.maximumTransfers))
    }
    guard made < UInt32.max - 3 else { throw .request(.tooManyTransfers(maximum: limits.maximumTransfers)) }
    made += 2
    return TransferID(number: isLeader ? made : made &+ 1)
  }

  mutating func removeResource(_ id: TransferID) -> Bool {
    let before = outgoing.count + incoming.count
    outgoing.removeAll { $0.id == id }
    incoming.removeAll { $0.id == id }
    let isRemoved = outgoing.count + incoming.count < before
    offerNext()
    return isRemoved
  }

  /// Notifies the owner of waiting offers, in their order, as long as fewer than the maximum are running.
  mutating func offerNext() {
    var running = incoming.count { $0.waitingName == nil }
    for index in incoming.indices where running < limits.maximumIncomingResources {
      guard let name = incoming[index].waitingName else { continue }
      incoming[index].waitingName = nil
      running += 1
      events.append(.resourceOffered(incoming[index].id, name: name, size: incoming[index].size))
    }
  }

  // MARK: The peer's frames about resources

  /// Handles a frame about a resource or stream.
  ///
  /// - Parameter offset: Offset of the payload in the stream, for errors.
  /// - Throws: `PeerLinkError` if the peer broke the protocol.
  mutating func received(
    _ frame: PeerFrame, at offset: Int, _ outbox: inout Outbox
  ) throws(PeerLinkError) {
    switch frame {
    case .resourceOffer(let id, let size, let name):
      try checkNew(id, at: offset)
      guard incoming.count < limits.maximumTransfers else {
        return outbox.append(.resourceCancel(id, .busy))
      }
      incoming.append(IncomingResource(id: id, size: size, waitingName: name))
      offerNext()
    case .resourceCredit(let id, let total): credit(resource: id, total)
    case .resourceChunk(let id, let octets): try chunk(id, octets, at: offset)
    case .resourceComplete(let id): complete(id, &outbox)
    case .resourceStored(let id):
      guard let index = outgoing.firstIndex(where: { $0.id == id }) else { return }
      guard outgoing[index].isComplete else { throw .unexpectedFrame(.resourceStored, at: offset) }
      outgoing.remove(at: index)
      events.append(.resourceSent(id))
    case .resourceCancel(let id, let reason):
      // The owner has not been notified of an offer that still waits.
      let isKnown = !incoming.contains { $0.id == id && $0.waitingName != nil }
      if removeResource(id), isKnown { events.append(.resourceFailed(id, reason)) }
    case .streamOpen, .streamData, .streamEnd, .streamClose, .streamCredit:
      try receivedOfStream(frame, at: offset, &outbox)
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .members,
      .looseData, .proof, .data, .goodbye:
      throw .unexpectedFrame(frame.type, at: offset)
    }
  }

  private mutating func credit(resource id: TransferID, _ total: UInt64) {
    guard let index = outgoing.firstIndex(where: { $0.id == id }) else { return }
    let isFirst = outgoing[index].credit == 0
    outgoing[index].credit = max(outgoing[index].credit, total)
    if isFirst { outgoing[index].firstCredit = outgoing[index].credit }
    let stored = outgoing[index].credit - outgoing[index].firstCredit
    if stored > 0 { events.append(.resourceProgress(id, stored: min(stored, outgoing[index].sent))) }
  }

  private mutating func chunk(_ id: TransferID, _ octets: [UInt8], at offset: Int) throws(PeerLinkError) {
    // A chunk for an unknown resource crossed a cancel.
    guard let index = incoming.firstIndex(where: { $0.id == id }) else { return }
    let room = incoming[index].granted - incoming[index].received
    guard UInt64(octets.count) <= room, !incoming[index].isComplete else {
      throw .octets(.credit, at: offset, .tooLong(count: octets.count, maximum: Int(clamping: room)))
    }
    incoming[index].received += UInt64(octets.count)
    events.append(.resourceChunk(id, octets))
  }

  private mutating func complete(_ id: TransferID, _ outbox: inout Outbox) {
    guard let index = incoming.firstIndex(where: { $0.id == id && $0.waitingName == nil }),
      !incoming[index].isComplete
    else { return }
    guard incoming[index].size.map({ $0 == incoming[index].received }) ?? true else {
      _ = cancel(id, .violation, &outbox)
      return events.append(.resourceFailed(id, .violation))
    }
    incoming[index].isComplete = true
    events.append(.resourceComplete(id))
  }

  /// Checks that a new number is from the peer's half, and larger than all before.
  mutating func checkNew(_ id: TransferID, at offset: Int) throws(PeerLinkError) {
    let isOfPeer = (id.number & 1 == 1) == isLeader
    guard isOfPeer, lastOfPeer.map({ $0 < id }) ?? true else {
      throw .octets(
        .transfer, at: offset,
        .unusableNumber(found: id.number, last: lastOfPeer?.number, expectsOdd: isLeader))
    }
    lastOfPeer = id
  }

  // MARK: Fairness

  /// Requests pieces of resources, one from each in turn, while little is queued for the peer.
  mutating func askForPieces(_ outbox: Outbox) {
    guard !outgoing.isEmpty, outbox.held < limits.bulkWindow else { return }
    var asked = outbox.held
    let start = lastRead.flatMap { last in outgoing.firstIndex { $0.id > last } } ?? 0
    for step in outgoing.indices where asked < limits.bulkWindow {
      let index = (start + step) % outgoing.count
      let resource = outgoing[index]
      guard !resource.isReading, !resource.isComplete, resource.credit > resource.sent else { continue }
      let count = min(UInt64(limits.chunkSize), resource.credit - resource.sent)
      outgoing[index].isReading = true
      lastRead = resource.id
      asked += Int(count)
      events.append(.readResource(resource.id, offset: resource.sent, count: Int(count)))
    }
  }

  /// Fails all transfers, because the connection has ended.
  mutating func fail(_ reason: PeerReason) {
    let known = incoming.filter { $0.waitingName == nil }
    let resources = (outgoing.map(\.id) + known.map(\.id)).sorted()
    events += resources.map { .resourceFailed($0, reason) }
    events += streams.map { .streamClosed($0.id, reason) }
    outgoing = []
    incoming = []
    streams = []
  }
}

/// Streams: each direction ends by itself, and a stream closes when both have ended.
extension TransferTable {
  /// Opens a stream and grants the peer a first window.
  mutating func openStream(
    name: String, _ outbox: inout Outbox
  ) throws(PeerLinkError) -> TransferID {
    let id = try makeID(name, count: streams.count)
    streams.append(ByteStream(id: id))
    outbox.append(.streamOpen(id, name: name))
    grant(stream: streams.count - 1, &outbox)
    return id
  }

  /// Sends as many octets as the peer has granted and the queue has room for.
  ///
  /// - Returns: How many octets were accepted.
  mutating func write(
    _ id: TransferID, _ octets: Span<UInt8>, _ outbox: inout Outbox
  ) throws(PeerLinkError) -> Int {
    let index = try streamIndex(id)
    guard !streams[index].hasEndedHere else { throw .request(.transferEnded(id)) }
    let room = Int(clamping: streams[index].credit - streams[index].sent)
    let count = min(octets.count, room, max(limits.bulkWindow - outbox.held, 0))
    var done = 0
    while done < count {
      let piece = min(limits.chunkSize, count - done)
      outbox.append(.streamData, id, octets.extracting(done..<done + piece))
      done += piece
    }
    streams[index].sent += UInt64(count)
    streams[index].wantsRoom = count < octets.count
    return count
  }

  /// Notes that the app read octets of a stream, and grants more.
  mutating func consumed(
    stream id: TransferID, _ count: Int, _ outbox: inout Outbox
  ) throws(PeerLinkError) {
    let index = try streamIndex(id)
    let left = streams[index].received - streams[index].consumed
    streams[index].consumed += min(UInt64(clamping: count), left)
    if !streams[index].hasEndedThere { grant(stream: index, &outbox) }
  }

  /// Ends this side's direction of a stream.
  mutating func endStream(_ id: TransferID, _ outbox: inout Outbox) throws(PeerLinkError) {
    let index = try streamIndex(id)
    guard !streams[index].hasEndedHere else { return }
    streams[index].hasEndedHere = true
    outbox.append(.streamEnd(id))
    removeIfEnded(index)
  }

  /// Closes a stream in both directions at once.
  mutating func closeStream(_ id: TransferID, _ outbox: inout Outbox) {
    guard let index = streams.firstIndex(where: { $0.id == id }) else { return }
    streams.remove(at: index)
    outbox.append(.streamClose(id, .cancelled))
  }

  /// Notifies the owner of streams that were waiting for room and have some again.
  mutating func offerRoom(_ outbox: Outbox) {
    for index in streams.indices where streams[index].wantsRoom {
      guard outbox.held < limits.bulkWindow, streams[index].credit > streams[index].sent else { continue }
      streams[index].wantsRoom = false
      events.append(.streamWritable(streams[index].id))
    }
  }

  private func streamIndex(_ id: TransferID) throws(PeerLinkError) -> Int {
    guard let index = streams.firstIndex(where: { $0.id == id }) else {
      throw .request(.unknownTransfer(id))
    }
    return index
  }

  private mutating func grant(stream index: Int, _ outbox: inout Outbox) {
    let (consumed, granted) = (streams[index].consumed, streams[index].granted)
    guard
      let total = Self.newTotal(consumed: consumed, granted: granted, window: limits.streamWindow)
    else { return }
    streams[index].granted = total
    outbox.append(.streamCredit(streams[index].id, octets: total))
  }

  private mutating func removeIfEnded(_ index: Int) {
    guard streams[index].hasEndedHere, streams[index].hasEndedThere else { return }
    let stream = streams.remove(at: index)
    events.append(.streamClosed(stream.id, .left))
  }

  private mutating func receivedOfStream(
    _ frame: PeerFrame, at offset: Int, _ outbox: inout Outbox
  ) throws(PeerLinkError) {
    if case .streamOpen(let id, let name) = frame { return try opened(id, name, at: offset, &outbox) }
    guard let id = frame.transfer, let index = streams.firstIndex(where: { $0.id == id }) else { return }
    switch frame {
    case .streamData(_, let octets):
      let room = streams[index].granted - streams[index].received
      guard UInt64(octets.count) <= room, !streams[index].hasEndedThere else {
        throw .octets(.credit, at: offset, .tooLong(count: octets.count, maximum: Int(clamping: room)))
      }
      streams[index].received += UInt64(octets.count)
      events.append(.streamData(id, octets))
    case .streamCredit(_, let total): streams[index].credit = max(streams[index].credit, total)
    case .streamEnd:
      guard !streams[index].hasEndedThere else { return }
      streams[index].hasEndedThere = true
      events.append(.streamEnded(id))
      removeIfEnded(index)
    case .streamClose(_, let reason):
      streams.remove(at: index)
      events.append(.streamClosed(id, reason))
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .members,
      .looseData, .proof, .data, .goodbye, .resourceOffer, .resourceCredit, .resourceChunk, .resourceComplete,
      .resourceStored, .resourceCancel, .streamOpen:
      break
    }
  }

  private mutating func opened(
    _ id: TransferID, _ name: String, at offset: Int, _ outbox: inout Outbox
  ) throws(PeerLinkError) {
    try checkNew(id, at: offset)
    guard streams.count < limits.maximumTransfers else { return outbox.append(.streamClose(id, .busy)) }
    streams.append(ByteStream(id: id))
    events.append(.streamOpened(id, name: name))
    grant(stream: streams.count - 1, &outbox)
  }
}

extension PeerFrame {
  /// The stream that a frame belongs to; `nil` for other frames.
  var transfer: TransferID? {
    switch self {
    case .streamData(let id, _), .streamEnd(let id), .streamClose(let id, _),
      .streamCredit(let id, octets: _),
      .streamOpen(let id, name: _):
      id
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .members,
      .looseData, .proof, .data, .goodbye, .resourceOffer, .resourceCredit, .resourceChunk, .resourceComplete,
      .resourceStored, .resourceCancel:
      nil
    }
  }
}
