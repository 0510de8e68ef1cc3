import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

// An addition to Apple's interface: the delegate's events as an asynchronous sequence.
extension MCSession {
  /// A call to the delegate, as a value. Only the delegate is asked about certificates.
  ///
  /// `@unchecked Sendable`: streams and progress objects lock their mutable state.
  public enum Event: @unchecked Sendable {
    /// `session(_:peer:didChange:)`
    case stateChanged(MCPeerID, MCSessionState)
    /// `session(_:didReceive:fromPeer:)`
    case received(Data, from: MCPeerID)
    /// `session(_:didReceive:withName:fromPeer:)`; the delegate, if any, receives the same stream.
    case streamReceived(InputStream, name: String, from: MCPeerID)
    /// `session(_:didStartReceivingResourceWithName:fromPeer:with:)`
    case resourceStarted(name: String, from: MCPeerID, Progress)
    /// `session(_:didFinishReceivingResourceWithName:fromPeer:at:withError:)` with a file.
    case resourceReceived(name: String, from: MCPeerID, ReceivedFile)
    /// `session(_:didFinishReceivingResourceWithName:fromPeer:at:withError:)` with an error.
    case resourceFailed(name: String, from: MCPeerID, any Error)
  }

  /// A received file, deleted when the last reference to this object is released unless it was moved.
  public final class ReceivedFile: Sendable {
    /// The file's location, in the directory for temporary files.
    public var url: URL { file.url }

    private let file: IncomingFile

    init(_ file: IncomingFile) { self.file = file }
  }

  /// All events from now on, in order; finishes when the session is released.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    state.withLock { $0.events.append(continuation) }
    return stream
  }

  /// Notifies the delegate, then the sequences. Runs on the session's queue.
  func report(_ event: Event) {
    let (box, events) = state.withLock { ($0.delegate, $0.events) }
    if let delegate = box.object { event.call(delegate, of: self) }
    for continuation in events { continuation.yield(event) }
  }
}

extension MCSession {
  /// Octets of received messages that no app in this process has consumed yet; for tests.
  package var unreadOctets: Int { device.peers.unreadOctets }

  /// Octets of messages that are delivered before they are reported as consumed.
  private static let portion = 256 << 10

  /// Delivers messages of one peer, and reports them as consumed so that the network accepts more.
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
  /// From this size on, in octets, the storage is shared instead of copied.
  private static let large = 16 << 10

  /// Creates the data of a message for the app.
  init(message octets: [UInt8]) {
    guard octets.count >= Self.large else {
      self.init(octets)
      return
    }
    // An array that is neither a slice nor bridged keeps its storage in place while it lives, and the closure
    // keeps it alive as long as the data. Mutating data that has other owners copies it first.
    self = octets.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return Data() }
      return Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
        deallocator: .custom { _, _ in withExtendedLifetime(octets) {} })
    }
  }
}
