import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation
import NearbyScenarios
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyTesting

/// The world of one job: the scenario's devices, each pair of which ranges through an app of the kind that Apple's
/// sample shows, from octets of virtual chips to estimates.
///
/// The apps are sinks of their device's sessions, without the facade's objects and queues, so that many worlds run in
/// parallel in one process and a run is a pure function of its scenario.
package struct CampaignWorld {
  private let world: World
  private let apps: [RangingApp]
  private let scenario: Scenario

  /// Simulated time between two questions whether to stop.
  private static let stride = Duration.seconds(1)

  package init(_ scenario: Scenario) {
    self.scenario = scenario
    world = World(scenario, drainsMainQueue: false)
    let (phones, _) = world.addPhones(of: scenario)
    var apps: [RangingApp] = []
    for pair in scenario.pairs {
      let first = RangingApp(
        on: phones[pair.first], at: pair.first, with: phones[pair.second], at: pair.second)
      let second = RangingApp(
        on: phones[pair.second], at: pair.second, with: phones[pair.first], at: pair.first)
      first.run(with: second.identity)
      second.run(with: first.identity)
      apps += [first, second]
    }
    self.apps = apps
  }

  /// Runs the scenario to its end.
  ///
  /// - Parameter isCancelled: Asked about once in every simulated second.
  /// - Returns: The scenario's scores; `nil` if cancelled.
  package func scores(isCancelled: () -> Bool) -> [ScoreValue]? {
    while world.now < scenario.duration {
      if isCancelled() { return nil }
      world.advance(by: min(Self.stride, scenario.duration - world.now))
    }
    let scores = scenario.scores.isEmpty ? Scenario.usualScores : scenario.scores
    let reports = apps.map(\.report)
    return scores.map { ScoreValue($0, in: reports, end: scenario.duration) }
  }
}

/// An app with one session with one peer.
///
/// `@unchecked Sendable`: the sink of a simulated device is called by the one thread that advances its world, and
/// everything else by the thread that made the world, before and after.
private final class RangingApp: SessionSink, @unchecked Sendable {
  let identity: DiscoveryIdentity
  private(set) var report: ReportedPair
  private let shell: SimulatedShell
  private let session: SessionID
  private let radio: Int
  private let peerRadio: Int
  private var configuration: PeerConfiguration?

  init(on phone: Phone, at device: Int, with other: Phone, at peer: Int) {
    shell = phone.shell
    radio = phone.radio
    peerRadio = other.radio
    let milliseconds = shell.withMachine { $0.settings.rangingIntervalMilliseconds }
    report = ReportedPair(device: device, peer: peer, interval: .milliseconds(Int64(milliseconds)))
    (session, identity) = shell.makeSession()
    shell.attach(self, to: session)
  }

  func run(with peer: DiscoveryIdentity) {
    let configuration = PeerConfiguration(peer: peer)
    self.configuration = configuration
    shell.post(.run(session, configuration))
  }

  func received(_ event: SessionEvent, peer: DiscoveryIdentity?) {
    switch event {
    case .updated(let estimate), .assisted(let estimate, _): add(estimate)
    case .startedRunning: report.add(.running, at: shell.now)
    case .suspended: report.add(.suspended, at: shell.now)
    case .invalidated: report.add(.invalidated, at: shell.now)
    case .suspensionEnded:
      report.add(.resumed, at: shell.now)
      runAgain()
    case .removed(let reason):
      report.add(.removed, at: shell.now)
      if reason == .timeout { runAgain() }
    case .anchorsHeard, .convergence, .shareable, .sounds: break
    }
  }

  /// As in Apple's sample, after the peer was lost and after a suspension.
  private func runAgain() {
    if let configuration { shell.post(.run(session, configuration)) }
  }

  private func add(_ estimate: PeerEstimate) {
    let (radio, peerRadio) = (radio, peerRadio)
    let (truth, now) = shell.world.withWorld { ($0.truth(from: radio, to: peerRadio, at: $1), $1) }
    if let time = shell.withMachine({ [session] in $0.lastHeard(of: session) }) { report.add(heardAt: time) }
    guard let distance = estimate.distance else { return }
    report.add(
      ReportedPair.Sample(
        at: now, distance: distance.distance, sigma: distance.sigma,
        direction: estimate.direction.map { ($0.direction, $0.sigma) }, truth))
  }
}
