import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

// Ours, beside Apple's delegate: the same events as a sequence.
extension MCSession {
  /// What the delegate hears, as a value. Questions about certificates are the delegate's alone.
  ///
  /// `@unchecked Sendable`: streams and progresses lock what they change.
  public enum Event: @unchecked Sendable {
    /// `session(_:peer:didChange:)`
    case stateChanged(MCPeerID, MCSessionState)
    /// `session(_:didReceive:fromPeer:)`
    case received(Data, from: MCPeerID)
    /// `session(_:didReceive:withName:fromPeer:)`; the delegate, if there is one, has the same stream.
    case streamReceived(InputStream, name: String, from: MCPeerID)
    /// `session(_:didStartReceivingResourceWithName:fromPeer:with:)`
    case resourceStarted(name: String, from: MCPeerID, Progress)
    /// `session(_:didFinishReceivingResourceWithName:fromPeer:at:withError:)` with a file.
    case resourceReceived(name: String, from: MCPeerID, ReceivedFile)
    /// The same with an error.
    case resourceFailed(name: String, from: MCPeerID, any Error)
  }

  /// A file that a peer sent; removed when nobody holds this any more, unless it was moved away.
  public final class ReceivedFile: Sendable {
    /// Where the file is, in the directory for temporary ones.
    public var url: URL { file.url }

    private let file: IncomingFile

    init(_ file: IncomingFile) { self.file = file }
  }

  /// Every event from now on, in order; ends when the session is released.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    state.withLock { $0.events.append(continuation) }
    return stream
  }

  /// On the session's queue: to the delegate, then to the sequences.
  func report(_ event: Event) {
    let (box, events) = state.withLock { ($0.delegate, $0.events) }
    if let delegate = box.object { event.call(delegate, of: self) }
    for continuation in events { continuation.yield(event) }
  }
}

extension MCSession {
  /// What this process has not taken of all messages that came, octets; for tests.
  package var unreadOctets: Int { device.peers.unreadOctets }

  /// So many octets of messages are taken before the network hears of it.
  private static let portion = 256 << 10

  /// Messages of one peer, as `report` of each; more come once the delegate has taken these.
  func report(_ messages: [[UInt8]], of identity: PeerIdentity) {
    let (box, events) = state.withLock { ($0.delegate, $0.events) }
    let (delegate, peer) = (box.object, connected(identity))
    var (count, sum) = (0, 0)
    for octets in messages {
      if let peer {
        let data = Data(message: octets)
        delegate?.session(self, didReceive: data, fromPeer: peer)
        for continuation in events { continuation.yield(.received(data, from: peer)) }
      }
      count += 1
      sum += octets.count
      guard sum >= Self.portion || count >= 4096 else { continue }
      member.consumed(count, octets: sum, from: identity)
      (count, sum) = (0, 0)
    }
    if count > 0 { member.consumed(count, octets: sum, from: identity) }
  }
}

extension MCSession.Event {
  func call(_ delegate: any MCSessionDelegate, of session: MCSession) {
    switch self {
    case .stateChanged(let peer, let state): delegate.session(session, peer: peer, didChange: state)
    case .received(let data, from: let peer): delegate.session(session, didReceive: data, fromPeer: peer)
    case .streamReceived(let stream, name: let name, from: let peer):
      delegate.session(session, didReceive: stream, withName: name, fromPeer: peer)
    case .resourceStarted(name: let name, from: let peer, let progress):
      delegate.session(
        session, didStartReceivingResourceWithName: name, fromPeer: peer, with: progress)
    case .resourceReceived(name: let name, from: let peer, let file):
      delegate.session(
        session, didFinishReceivingResourceWithName: name, fromPeer: peer, at: file.url, withError: nil)
    case .resourceFailed(name: let name, from: let peer, let error):
      delegate.session(
        session, didFinishReceivingResourceWithName: name, fromPeer: peer, at: nil, withError: error)
    }
  }
}

extension Data {
  /// From here on the octets are shared, not copied.
  private static let large = 16 << 10

  /// A message as the app gets it.
  init(message octets: [UInt8]) {
    guard octets.count >= Self.large else {
      self.init(octets)
      return
    }
    // An array that is nobody's slice or bridge keeps its octets in one place while it lives, and the closure keeps
    // it alive as long as the data; data that is changed while others have it is copied first, as ever.
    self = octets.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return Data() }
      return Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
        deallocator: .custom { _, _ in withExtendedLifetime(octets) {} })
    }
  }
}
