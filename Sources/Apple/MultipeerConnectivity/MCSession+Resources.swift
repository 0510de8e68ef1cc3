import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

/// A file being sent to a peer. Its parts are used on the session's queue once it has been created.
struct ResourceBeingSent: Sendable {
  let file: FileHandle
  let progress: TransferProgress
  let completion: UncheckedSendable<((any Error)?) -> Void>?
}

/// A file being received from a peer. Its parts are used on the session's queue.
struct ResourceBeingReceived: Sendable {
  let peer: MCPeerID
  let name: String
  let file: IncomingFile
  let progress: TransferProgress
}

/// A file opened for sending. It may be deleted while it is open.
struct OpenFile {
  let handle: FileHandle
  let size: UInt64

  init?(_ url: URL) {
    guard let handle = try? FileHandle(forReadingFrom: url), let size = try? handle.seekToEnd() else {
      return nil
    }
    self.handle = handle
    self.size = size
  }
}

/// Calls an app's handlers on its session's queue, even after the session is gone.
struct LaterCalls: Sendable {
  let device: NearbyDevice
  let queue: LibraryQueue

  func call(_ handler: @escaping ((any Error)?) -> Void, _ error: MCError?) {
    let handler = UncheckedSendable(handler)
    device.app.later { [self] in device.perform(on: queue) { handler.value(error) } }
  }
}

// Resources: files sent beside messages, in pieces.
extension MCSession {
  func sendFile(
    at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID,
    completionHandler: (((any Error)?) -> Void)?
  ) -> Progress? {
    guard let file = OpenFile(resourceURL) else { return fail(completionHandler, MCError(.invalidParameter)) }
    let progress = TransferProgress.make(of: file.size)
    let resource = ResourceBeingSent(
      file: file.handle, progress: progress, completion: completionHandler.map { UncheckedSendable($0) })
    if let failure = offer(resource, size: file.size, name: resourceName, to: peerID) {
      return fail(completionHandler, failure)
    }
    return progress
  }

  /// Offers a resource to a connected peer.
  ///
  /// - Returns: The reason if it cannot be sent, or else `nil`.
  func offer(_ resource: ResourceBeingSent, size: UInt64, name: String, to peerID: MCPeerID) -> MCError? {
    let peer = peerID.peer.identity
    let result = state.withLock { state -> Result<ResourceKey, PeerFailure> in
      // Keep the lock, so that no event of the transfer arrives before the transfer is registered.
      do throws(PeerFailure) {
        let id = try member.offer(.resource(name: name, size: size), to: peer)
        let key = ResourceKey(peer: peer, id: id)
        state.outgoing[key] = resource
        return .success(key)
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let key):
      resource.progress.onCancel { [weak self] in self?.cancelOutgoing(key) }
      return nil
    case .failure(let failure): return MCError(failure: failure)
    }
  }

  func fail(_ handler: (((any Error)?) -> Void)?, _ error: MCError) -> Progress? {
    if let handler { later.call(handler, error) }
    return nil
  }

  /// Calls handlers on the session's queue, never during the call that caused it.
  var later: LaterCalls { LaterCalls(device: device, queue: queue) }

  private func cancelOutgoing(_ key: ResourceKey) {
    guard let resource = state.withLock({ $0.outgoing.removeValue(forKey: key) }) else { return }
    try? member.perform(.cancelResource(key.id), with: key.peer)
    if let completion = resource.completion { later.call(completion.value, MCError(.cancelled)) }
  }

  /// Handles a transfer event. Runs on the session's queue.
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
    case .streamOpened(let id, let name): begin(ResourceKey(peer: peer, id: id), streamName: name)
    case .streamData, .streamWritable, .streamEnded, .streamClosed: break
    }
  }

  // MARK: Sending

  private func read(_ key: ResourceKey, at offset: UInt64, _ count: Int) {
    guard let resource = state.withLock({ $0.outgoing[key] }) else { return }
    do {
      try resource.file.seek(toOffset: offset)
      let data = try resource.file.read(upToCount: count) ?? Data()
      try member.perform(.resourceRead(key.id, [UInt8](data)), with: key.peer)
    } catch {
      try? member.perform(.cancelResource(key.id), with: key.peer)
      endOutgoing(key, (error as? PeerFailure).map(MCError.init(failure:)) ?? error)
    }
  }

  private func endOutgoing(_ key: ResourceKey, _ error: (any Error)?) {
    guard let resource = state.withLock({ $0.outgoing.removeValue(forKey: key) }) else { return }
    if error == nil { resource.progress.finish() }
    resource.completion?.value(error)
  }

  // MARK: Receiving

  private func begin(_ key: ResourceKey, name: String, size: UInt64?) {
    guard let peer = connected(key.peer) else { return }
    let progress = TransferProgress.make(of: size)
    let file: IncomingFile
    do {
      file = try IncomingFile(size: size)
    } catch {
      try? member.perform(.cancelResource(key.id), with: key.peer)
      report(.resourceStarted(name: name, from: peer, progress))
      return report(.resourceFailed(name: name, from: peer, error))
    }
    progress.onCancel { [weak self] in self?.cancelIncoming(key) }
    let resource = ResourceBeingReceived(peer: peer, name: name, file: file, progress: progress)
    state.withLock { $0.incoming[key] = resource }
    report(.resourceStarted(name: name, from: peer, progress))
    try? member.perform(.acceptResource(key.id), with: key.peer)
  }

  private func store(_ octets: [UInt8], of key: ResourceKey) {
    guard let resource = state.withLock({ $0.incoming[key] }) else { return }
    do {
      try resource.file.write(octets)
      resource.progress.completedUnitCount += Int64(octets.count)
      try member.perform(.resourceConsumed(key.id, octets.count), with: key.peer)
    } catch {
      try? member.perform(.cancelResource(key.id), with: key.peer)
      endIncoming(key, (error as? PeerFailure).map(MCError.init(failure:)) ?? error)
    }
  }

  private func cancelIncoming(_ key: ResourceKey) {
    try? member.perform(.cancelResource(key.id), with: key.peer)
    device.app.later { [self] in
      device.perform(on: queue) { [self] in endIncoming(key, MCError(.cancelled)) }
    }
  }

  private func endIncoming(_ key: ResourceKey, _ error: (any Error)?) {
    guard let resource = state.withLock({ $0.incoming.removeValue(forKey: key) }) else { return }
    let file = ReceivedFile(resource.file)
    // The transfer may have failed because the peer is gone, so fall back to the stored ID.
    let peer = connected(key.peer) ?? resource.peer
    if let error {
      report(.resourceFailed(name: resource.name, from: peer, error))
    } else {
      resource.progress.finish()
      report(.resourceReceived(name: resource.name, from: peer, file))
      try? member.perform(.resourceStored(key.id), with: key.peer)
    }
    // The file must exist until the delegate's method has returned.
    withExtendedLifetime(file) {}
  }
}
