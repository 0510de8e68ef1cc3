import NearbyBluetooth
import NearbySchedule

/// Simulates hours of a beacon that comes and goes, with a fifth of its packets lost and people passing in
/// between, and counts the errors of a `RegionMonitor`. For tests and benchmarks.
package struct SimulatedHours: Sendable {
  package struct Outcome: Hashable, Sendable {
    package var visits = 0
    /// Exits while the beacon was present.
    package var falseExits = 0
    /// Absences, each longer than any exit delay, that were not reported.
    package var missedExits = 0
    /// Longest time from the start of a visit to the entry, and from its end to the exit.
    package var longestEntry = Duration.zero
    package var longestExit = Duration.zero
  }

  private var noise: SplitMix64
  private var monitor: RegionMonitor
  private var now = Duration.zero
  private var outcome = Outcome()
  /// When the current person is out of the way, and when the next one comes.
  private var bodyUntil = Duration.zero
  private var nextBody = Duration.zero
  private let beacon = BeaconIdentity(uuid: BluetoothUUID(high: 1, low: 2), major: 3, minor: 4)

  /// Time between two packets, and the share of packets lost: in the open, and behind a person.
  private static let interval = Duration.milliseconds(100)
  private static let (openLoss, bodyLoss) = (0.2, 0.95)

  package init(seed: UInt64, rule: ExitRule) {
    noise = SplitMix64(seed: seed)
    monitor = RegionMonitor(exitRule: rule)
    let region = MonitoredRegion(identifier: "door", constraint: BeaconConstraint(uuid: beacon.uuid))
    _ = monitor.setListening(true, at: .zero)
    _ = monitor.add(region, at: .zero)
  }

  /// A random duration between two numbers of seconds.
  private mutating func seconds(_ least: Double, _ most: Double) -> Duration {
    .milliseconds(Int64(1000 * (least + (most - least) * noise.uniform())))
  }

  /// Alternates visits and absences until the hours are over.
  package consuming func run(hours: Int) -> Outcome {
    let end = Duration.seconds(3600 * hours)
    while now < end {
      absence()
      visit()
    }
    return outcome
  }

  /// Simulates two to ten minutes without the beacon.
  private mutating func absence() {
    let start = now
    var exit: Duration?
    now += seconds(120, 600)
    while let deadline = monitor.nextDeadline, deadline <= now {
      for case .exited in monitor.timePassed(at: deadline) { exit = deadline }
    }
    guard outcome.visits > 0 else { return }
    if let exit {
      outcome.longestExit = max(outcome.longestExit, exit - start)
    } else if monitor.state(of: "door") != .outside {
      outcome.missedExits += 1
    }
  }

  /// Simulates five to thirty minutes with the beacon present.
  private mutating func visit() {
    let (start, end) = (now, now + seconds(300, 1800))
    var entry: Duration?
    outcome.visits += 1
    // The first person comes after a while; otherwise the beacon would not be in range yet.
    nextBody = now + seconds(5, 90)
    bodyUntil = now
    while now < end {
      // Bluetooth adds a random delay of up to 10 ms to each advertising interval.
      now += Self.interval + .microseconds(Int64(10_000 * noise.uniform()))
      if now >= nextBody {
        bodyUntil = now + seconds(1, 8)
        nextBody = bodyUntil + seconds(5, 90)
      }
      let loss = now < bodyUntil ? Self.bodyLoss : Self.openLoss
      let actions =
        noise.uniform() < loss ? monitor.timePassed(at: now) : monitor.sighted(beacon, at: now)
      for action in actions {
        if case .exited = action { outcome.falseExits += 1 }
        if case .entered = action, entry == nil { entry = now }
      }
    }
    outcome.longestEntry = max(outcome.longestEntry, (entry ?? end) - start)
  }
}
