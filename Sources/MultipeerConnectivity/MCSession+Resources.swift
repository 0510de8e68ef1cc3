import NearbyRuntime
import PeerLink
import Synchronization

/// A transfer with one peer.
struct ResourceKey: Hashable, Sendable {
  let peer: PeerIdentity
  let id: TransferID
}

/// A file on its way to a peer. Its parts are used on the session's queue, after it was made.
struct OutgoingResource: @unchecked Sendable {
  let file: FileHandle
  let progress: Progress
  let completion: (((any Error)?) -> Void)?
}

/// A file on its way from a peer. Its parts are used on the session's queue.
struct IncomingResource: @unchecked Sendable {
  let name: String
  let file: FileHandle
  let url: URL
  let progress: Progress
}

// Resources: files that go beside messages, in pieces.
extension MCSession {
  /// Sends a file to a connected peer.
  ///
  /// - Parameters:
  ///   - resourceURL: A file's. Others, `http` among them, end in `MCError.unsupported`.
  ///   - resourceName: What the receiver hears, at most 1024 octets.
  ///   - peerID: Who gets it.
  ///   - completionHandler: Called once on the session's queue, with `nil` when the receiver has all of it.
  /// - Returns: What cancels it, and says how much the receiver has; `nil` where it cannot be sent.
  @discardableResult
  public func sendResource(
    at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID,
    withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
  ) -> Progress? {
    guard resourceURL.isFileURL else { return fail(completionHandler, MCError(.unsupported)) }
    guard let file = try? FileHandle(forReadingFrom: resourceURL), let size = try? file.seekToEnd() else {
      return fail(completionHandler, MCError(.invalidParameter))
    }
    let progress = Progress(totalUnitCount: Int64(clamping: size))
    let resource = OutgoingResource(file: file, progress: progress, completion: completionHandler)
    let peer = peerID.peer.identity
    let result = state.withLock { state -> Result<ResourceKey, PeerFailure> in
      // Under the lock, so that no event of the transfer finds it unknown.
      do throws(PeerFailure) {
        let id = try device.offer(.resource(name: resourceName, size: size), to: peer, of: user)
        let key = ResourceKey(peer: peer, id: id)
        state.outgoing[key] = resource
        return .success(key)
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let key):
      progress.cancellationHandler = { [weak self] in self?.cancelOutgoing(key) }
      return progress
    case .failure(let failure): return fail(completionHandler, MCError(failure: failure))
    }
  }

  private func fail(_ handler: (((any Error)?) -> Void)?, _ error: MCError) -> Progress? {
    if let handler { callLater(handler, error) }
    return nil
  }

  private func callLater(_ handler: @escaping ((any Error)?) -> Void, _ error: MCError?) {
    let box = HandlerBox<(any Error)?, Void> { error, _ in handler(error) }
    device.later { [device, queue] in device.perform(on: queue) { box.call(error, ()) } }
  }

  private func cancelOutgoing(_ key: ResourceKey) {
    guard let resource = state.withLock({ $0.outgoing.removeValue(forKey: key) }) else { return }
    try? request(.transfer(key.peer, .cancelResource(key.id)))
    if let completion = resource.completion { callLater(completion, MCError(.cancelled)) }
  }

  /// On the session's queue.
  func report(_ event: TransferEvent, with peer: PeerIdentity) {
    switch event {
    case .readResource(let id, let offset, let count):
      read(ResourceKey(peer: peer, id: id), at: offset, count)
    case .resourceProgress(let id, let stored):
      let resource = state.withLock { $0.outgoing[ResourceKey(peer: peer, id: id)] }
      resource?.progress.completedUnitCount = Int64(clamping: stored)
    case .resourceSent(let id): endOutgoing(ResourceKey(peer: peer, id: id), nil)
    case .resourceFailed(let id, let reason):
      let key = ResourceKey(peer: peer, id: id)
      endOutgoing(key, MCError(reason: reason))
      endIncoming(key, MCError(reason: reason))
    case .resourceOffered(let id, let name, let size):
      begin(ResourceKey(peer: peer, id: id), name: name, size: size)
    case .resourceChunk(let id, let octets): store(octets, of: ResourceKey(peer: peer, id: id))
    case .resourceComplete(let id): endIncoming(ResourceKey(peer: peer, id: id), nil)
    // Streams are not there yet: a peer's is closed at once.
    case .streamOpened(let id, _): try? request(.transfer(peer, .closeStream(id)))
    case .streamData, .streamWritable, .streamEnded, .streamClosed: break
    }
  }

  /// Not there yet.
  ///
  /// - Throws: `MCError.unsupported`.
  public func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
    throw MCError(.unsupported)
  }

  // MARK: Going

  private func read(_ key: ResourceKey, at offset: UInt64, _ count: Int) {
    guard let resource = state.withLock({ $0.outgoing[key] }) else { return }
    do {
      try resource.file.seek(toOffset: offset)
      let data = try resource.file.read(upToCount: count) ?? Data()
      try request(.transfer(key.peer, .resourceRead(key.id, [UInt8](data))))
    } catch {
      try? request(.transfer(key.peer, .cancelResource(key.id)))
      endOutgoing(key, error)
    }
  }

  private func endOutgoing(_ key: ResourceKey, _ error: (any Error)?) {
    guard let resource = state.withLock({ $0.outgoing.removeValue(forKey: key) }) else { return }
    if error == nil { resource.progress.completedUnitCount = resource.progress.totalUnitCount }
    resource.completion?(error)
  }

  // MARK: Coming

  private func begin(_ key: ResourceKey, name: String, size: UInt64?) {
    guard let peer = connected(key.peer) else { return }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "swift-nearby-\(UUID().uuidString)")
    // For nobody else to read.
    let isMade = FileManager.default.createFile(
      atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard isMade, let file = try? FileHandle(forWritingTo: url) else {
      try? request(.transfer(key.peer, .cancelResource(key.id)))
      return
    }
    let progress = Progress(totalUnitCount: size.map { Int64(clamping: $0) } ?? -1)
    progress.cancellationHandler = { [weak self] in self?.cancelIncoming(key) }
    let resource = IncomingResource(name: name, file: file, url: url, progress: progress)
    state.withLock { $0.incoming[key] = resource }
    delegate?.session(self, didStartReceivingResourceWithName: name, fromPeer: peer, with: progress)
    try? request(.transfer(key.peer, .acceptResource(key.id)))
  }

  private func store(_ octets: [UInt8], of key: ResourceKey) {
    guard let resource = state.withLock({ $0.incoming[key] }) else { return }
    do {
      try resource.file.write(contentsOf: Data(octets))
      resource.progress.completedUnitCount += Int64(octets.count)
      try request(.transfer(key.peer, .resourceConsumed(key.id, octets.count)))
    } catch {
      try? request(.transfer(key.peer, .cancelResource(key.id)))
      endIncoming(key, error)
    }
  }

  private func cancelIncoming(_ key: ResourceKey) {
    try? request(.transfer(key.peer, .cancelResource(key.id)))
    device.later { [self] in
      device.perform(on: queue) { [self] in endIncoming(key, MCError(.cancelled)) }
    }
  }

  private func endIncoming(_ key: ResourceKey, _ error: (any Error)?) {
    guard let resource = state.withLock({ $0.incoming.removeValue(forKey: key) }) else { return }
    try? resource.file.close()
    defer { try? FileManager.default.removeItem(at: resource.url) }
    // The peer may be gone by now, which is why the transfer failed.
    let name = try? DisplayName("?")
    let peer = connected(key.peer) ?? name.map { MCPeerID(PeerID(identity: key.peer, displayName: $0)) }
    guard let peer else { return }
    delegate?.session(
      self, didFinishReceivingResourceWithName: resource.name, fromPeer: peer,
      at: error == nil ? resource.url : nil, withError: error)
    if error == nil { try? request(.transfer(key.peer, .resourceStored(key.id))) }
  }
}
