import NearbyDevice
import NearbyPeerLink
import Synchronization

// Streams of octets in one direction.
extension MCSession {
  func openStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
    let peer = peerID.peer.identity
    let result = state.withLock { state -> Result<OutgoingSide, PeerFailure> in
      // Keep the lock, so that no event of the stream arrives before the stream is registered.
      do throws(PeerFailure) {
        let key = ResourceKey(peer: peer, id: try member.offer(.stream(name: streamName), to: peer))
        let side = OutgoingSide(device: device, member: member, key: key, end: forget(key))
        state.streams[key] = .going(side)
        return .success(side)
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let side): return SessionOutputStream(side)
    case .failure(let failure): throw MCError(failure: failure)
    }
  }

  /// Handles a stream's event on the device's own thread.
  ///
  /// - Returns: False if the event still has to be reported on the session's queue.
  func handleStream(_ event: TransferEvent, with peer: PeerIdentity) -> Bool {
    switch event {
    case .streamOpened(let id, _):
      let key = ResourceKey(peer: peer, id: id)
      let side = IncomingSide(device: device, member: member, key: key, end: forget(key))
      state.withLock { $0.streams[key] = .coming(side) }
      return false
    case .streamData(let id, let octets):
      if case .coming(let side) = stream(ResourceKey(peer: peer, id: id)) { side.received(octets) }
    case .streamWritable(let id):
      if case .going(let side) = stream(ResourceKey(peer: peer, id: id)) { side.roomMade() }
    case .streamEnded(let id):
      let key = ResourceKey(peer: peer, id: id)
      // The reader of an outgoing stream never writes, so the end of its side means nothing.
      guard case .coming(let side) = stream(key) else { return true }
      side.ended()
    case .streamClosed(let id, let reason):
      let key = ResourceKey(peer: peer, id: id)
      state.withLock { $0.streams.removeValue(forKey: key) }?.fail(MCError(reason: reason))
    case .resourceOffered, .resourceChunk, .resourceComplete, .readResource, .resourceProgress, .resourceSent,
      .resourceFailed:
      return false
    }
    return true
  }

  /// Delivers a stream that a peer opened. Runs on the session's queue.
  func begin(_ key: ResourceKey, streamName: String) {
    guard case .coming(let side) = stream(key) else { return }
    // An incoming stream is never written to, so end this direction at once.
    try? member.perform(.endStream(key.id), with: key.peer)
    let stream = SessionInputStream(side)
    guard let peer = connected(key.peer) else { return }
    report(.streamReceived(stream, name: streamName, from: peer))
  }

  private func forget(_ key: ResourceKey) -> @Sendable () -> Void {
    { [weak self] in
      let side = self?.state.withLock { $0.streams.removeValue(forKey: key) }
      // Release the side here at the earliest, not under the lock.
      withExtendedLifetime(side) {}
    }
  }

  private func stream(_ key: ResourceKey) -> SessionStream? { state.withLock { $0.streams[key] } }
}

/// A stream of a session, by its direction.
enum SessionStream: Sendable {
  case coming(IncomingSide)
  case going(OutgoingSide)

  func fail(_ error: MCError) {
    switch self {
    case .coming(let side): side.fail(error)
    case .going(let side): side.fail(error)
    }
  }
}
