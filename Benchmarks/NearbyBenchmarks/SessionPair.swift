import Dispatch
import Foundation
import MultipeerConnectivity
import Synchronization

/// An app's session for the benchmarks. It counts what it receives.
///
/// `@unchecked Sendable`: mutable state is atomic, behind a lock, or on the session's queue.
final class BenchedSession: NSObject, MCSessionDelegate, @unchecked Sendable {
  let session: MCSession
  let messages = Atomic<Int>(0)
  let octets = Atomic<Int>(0)
  private let work = Mutex(Work())

  struct Work: Sendable {
    var onMessage: (@Sendable (Data) -> Void)?
    var onState: (@Sendable (MCPeerID, MCSessionState) -> Void)?
    var onResource: (@Sendable (URL?) -> Void)?
  }

  init(_ name: String) {
    session = MCSession(peer: MCPeerID(displayName: name))
    super.init()
    session.delegate = self
  }

  func set(_ change: @Sendable (inout sending Work) -> Void) { work.withLock { change(&$0) } }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    work.withLock { $0 }.onState?(peerID, state)
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    messages.wrappingAdd(1, ordering: .relaxed)
    octets.wrappingAdd(data.count, ordering: .relaxed)
    work.withLock { $0 }.onMessage?(data)
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?
  ) { work.withLock { $0 }.onResource?(localURL) }
}

/// Two sessions of two peers in this process, connected over the real network without discovery.
final class SessionPair: Sendable {
  let left = BenchedSession("left")
  let right = BenchedSession("right")

  struct NotConnected: Error {}

  init() async throws { try await Self.connect(left, right) }

  static func connect(_ left: BenchedSession, _ right: BenchedSession) async throws {
    let there = try await left.session.nearbyConnectionData(forPeer: right.session.myPeerID)
    let back = try await right.session.nearbyConnectionData(forPeer: left.session.myPeerID)
    left.session.connectPeer(right.session.myPeerID, withNearbyConnectionData: back)
    right.session.connectPeer(left.session.myPeerID, withNearbyConnectionData: there)
    for _ in 0..<1000 where !areConnected(left, right) { try await Task.sleep(for: .milliseconds(10)) }
    guard areConnected(left, right) else { throw NotConnected() }
  }

  private static func areConnected(_ left: BenchedSession, _ right: BenchedSession) -> Bool {
    left.session.connectedPeers.contains(right.session.myPeerID)
      && right.session.connectedPeers.contains(left.session.myPeerID)
  }

  /// The most octets in flight. An app whose receiver reports its progress would limit itself like this.
  private static let window = 6 << 20

  /// Sends messages from a thread of the app as fast as they arrive.
  func messagesPerSecond(size: Int) -> Double {
    let total = min(2_000_000, (1 << 30) / size)
    let message = Data(repeating: 0x5A, count: size)
    let peers = [right.session.myPeerID]
    let mostUnderWay = max(4, Self.window / size)
    let room = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let before = right.messages.load(ordering: .relaxed)
    let isWaiting = Atomic<Bool>(false)
    right.set { [right] work in
      work.onMessage = { _ in
        let count = right.messages.load(ordering: .relaxed) - before
        if count == total { done.signal() }
        let isRoom = count % max(1, mostUnderWay / 4) == 0
        if isRoom, isWaiting.exchange(false, ordering: .acquiringAndReleasing) {
          room.signal()
        }
      }
    }
    let start = ContinuousClock.now
    for number in 0..<total {
      while number - (right.messages.load(ordering: .relaxed) - before) >= mostUnderWay {
        isWaiting.store(true, ordering: .releasing)
        if number - (right.messages.load(ordering: .relaxed) - before) < mostUnderWay { break }
        room.wait()
      }
      try? left.session.send(message, toPeers: peers, with: .reliable)
    }
    done.wait()
    let time = ContinuousClock.now - start
    right.set { $0.onMessage = nil }
    return Double(total) / time.seconds
  }

  /// One message there and one back, each sent from within the delegate.
  func roundTrip() -> Duration {
    let count = 20_000
    let done = DispatchSemaphore(value: 0)
    let message = Data(repeating: 1, count: 64)
    let times = Mutex<(start: ContinuousClock.Instant, times: [Duration])>((.now, []))
    let (near, far) = (left.session, right.session)
    let (toNear, toFar) = ([near.myPeerID], [far.myPeerID])
    right.set { $0.onMessage = { data in try? far.send(data, toPeers: toNear, with: .reliable) } }
    left.set {
      $0.onMessage = { _ in
        let left = times.withLock { times in
          let now = ContinuousClock.now
          times.times.append(now - times.start)
          times.start = now
          return count - times.times.count
        }
        if left > 0 { try? near.send(message, toPeers: toFar, with: .reliable) } else { done.signal() }
      }
    }
    times.withLock { $0.start = .now }
    try? near.send(message, toPeers: toFar, with: .reliable)
    done.wait()
    right.set { $0.onMessage = nil }
    left.set { $0.onMessage = nil }
    return times.withLock { $0.times.sorted()[count / 2] }
  }

  /// Sends a file.
  ///
  /// - Returns: Octets per second, and the largest growth of the process's memory, in octets.
  func resource(size: Int) throws -> (rate: Double, growth: Int) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(getpid())")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(size))
    try handle.close()
    let came = DispatchSemaphore(value: 0)
    right.set { $0.onResource = { _ in came.signal() } }
    let before = Memory.restartPeak()
    let start = ContinuousClock.now
    left.session.sendResource(at: file, withName: "bench", toPeer: right.session.myPeerID)
    came.wait()
    let time = ContinuousClock.now - start
    right.set { $0.onResource = nil }
    return (Double(size) / time.seconds, Memory.peak - before)
  }
}

/// The process's resident memory, in octets.
enum Memory {
  static var now: Int { value("VmRSS") }
  static var peak: Int { value("VmHWM") }

  /// Resets the peak.
  ///
  /// - Returns: The current amount.
  static func restartPeak() -> Int {
    if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
      file.write(Data("5".utf8))
      try? file.close()
    }
    return now
  }

  private static func value(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
