import NearbyDeviceMachine
import NearbyScenarios
import NearbySteppedWorld
import NearbyWorld
import NearbyWorldProtocol

/// The distances and events that the apps of a shared world received, as their programs report them.
struct JoinedReports {
  private struct Pair: Hashable {
    let device: Int
    let peer: Int
  }

  private struct Session: Hashable {
    let device: Int
    let number: UInt32
  }

  /// Sessions of a run that are remembered; an app has a handful at once.
  private static let mostSessions = 10_000
  private static let interval = Duration.milliseconds(
    Int64(DeviceSettings().rangingIntervalMilliseconds))
  private var reports: [Pair: ReportedPair] = [:]
  /// The device that each discovery token belongs to.
  private var owners: [[UInt8]: Int] = [:]
  /// The devices whose programs have joined.
  private var joined: Set<Int> = []
  /// The token that each session runs with.
  private var peers: [Session: [UInt8]] = [:]

  /// All pairs that ranged, in the order of the devices.
  var pairs: [ReportedPair] {
    reports.keys.sorted { ($0.device, $0.peer) < ($1.device, $1.peer) }.compactMap { reports[$0] }
  }

  mutating func note(_ entry: WorldJournal.Entry, in world: SteppedWorld) {
    if case .joined = entry.event { joined.insert(entry.device) }
    guard case .reported(let report) = entry.event else { return }
    let session = Session(device: entry.device, number: report.session)
    switch report.event {
    case .made(let token): if owners.count < Self.mostSessions { owners[token] = entry.device }
    case .run(let peer): if peers.count < Self.mostSessions { peers[session] = peer }
    case .updated(let sighting): add(sighting, session, at: entry.time, world)
    case .removed: add(.removed, session, at: entry.time)
    case .suspended: add(.suspended, session, at: entry.time)
    case .suspensionEnded: add(.resumed, session, at: entry.time)
    case .startedRunning: add(.running, session, at: entry.time)
    case .invalidated: add(.invalidated, session, at: entry.time)
    case .paused, .ended, .convergence: break
    }
  }

  private func pair(of session: Session) -> Pair? {
    guard let token = peers[session], let peer = owners[token] ?? accessory(of: session.device),
      peer != session.device
    else { return nil }
    return Pair(device: session.device, peer: peer)
  }

  /// An accessory has no discovery token, so a session's accessory is known only if there is one other program.
  private func accessory(of device: Int) -> Int? {
    joined.count == 2 ? joined.first { $0 != device } : nil
  }

  private mutating func change(_ pair: Pair, _ body: (inout ReportedPair) -> Void) {
    body(
      &reports[pair, default: ReportedPair(device: pair.device, peer: pair.peer, interval: Self.interval)])
  }

  private mutating func add(_ event: Scenario.Score.AppEvent, _ session: Session, at time: Duration) {
    guard let pair = pair(of: session) else { return }
    change(pair) { $0.add(event, at: time) }
  }

  private mutating func add(
    _ sighting: Sighting, _ session: Session, at time: Duration, _ world: SteppedWorld
  ) {
    guard let pair = pair(of: session), let truth = world.truth(from: pair.device, to: pair.peer) else {
      return
    }
    change(pair) { report in
      report.add(heardAt: time)
      guard let distance = sighting.distance else { return }
      report.add(
        ReportedPair.Sample(
          at: time, distance: distance.metres, sigma: distance.sigma,
          direction: sighting.direction.map { ($0.vector, $0.sigma) }, truth))
    }
  }
}
