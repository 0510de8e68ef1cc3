import Foundation
import NearbyRadioLinks
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbyWorld
import NearbyWorldProtocol

/// A shared world that steps its time for the programs in it: time stands still while any of them computes, and goes
/// on to the next event, of the world or of a program's clock, as soon as all of them wait. So programs take as long as
/// they need, a run takes only as long as they compute, and the same seed gives the same run.
///
/// Programs load `CNearbyProgramTime`, through which their clocks show the world's time and their waits end by it. That
/// all wait is seen in /proc (`ProgramThreads`). Of simultaneous events the world's come first, then the programs'
/// messages in the order in which they joined, then the ends of their waits.
///
/// Not thread-safe: one thread runs a world, and blocks meanwhile.
package final class SteppedWorld {
  package struct Settings: Sendable {
    /// The environment of this process, to which the world's variables are added.
    package var environment: [String: String]
    /// `TimeLibrary.path`.
    package var library: String
    /// A folder that exists, for this world's files.
    package var folder: String
    /// Added before the programs' search path, so that a command finds this program.
    package var programFolder: String
    /// Whether the programs have a network of their own, or the machine's.
    package var hasOwnNetwork: Bool
    /// How long a program may compute while the world's time stands still, real time.
    package var patience = Duration.seconds(60)

    package init(
      environment: [String: String], library: String, folder: String, programFolder: String,
      hasOwnNetwork: Bool
    ) {
      self.hasOwnNetwork = hasOwnNetwork
      self.environment = environment
      self.library = library
      self.folder = folder
      self.programFolder = programFolder
    }
  }

  /// How long programs have to end after their interrupt: the world's time, and real time.
  private static let (farewell, realFarewell) = (Duration.seconds(3), Duration.seconds(10))
  /// Steps at one time of the world beyond which it is assumed to stand still for ever.
  private static let mostSteps = 100_000
  /// Steps at one time that are usual.
  private static let fewSteps = 100
  /// Interval of the frames that tell programs the time.
  private static let heartbeat = Duration.seconds(1)

  private var world: HostedWorld
  private var connections: SteppedConnections
  private var programs: [SteppedProgram] = []
  private let traffic = PacketBacklog()
  /// Kept as long as the world.
  private let network: ProgramNetwork?
  private let networkVariable: (key: String, value: String)?
  private let port: UInt16
  private let token: String
  private let seed: UInt64
  private let settings: Settings
  private var now = Duration.zero
  private var nextHeartbeat = Duration.zero
  private var stepsAtThisTime = 0
  private let onEvent: (Event, SteppedWorld) -> Void

  package enum Event: Sendable {
    case line(String, from: ProgramEntry)
    /// In the order in which they happened.
    case journal(WorldJournal.Entry)
    case ended(ProgramEntry, status: Int32)
    /// A problem with a program's connection or waits; the run continues.
    case trouble(String)
  }

  /// Why a run was given up.
  package enum Stop: Error, Equatable, Sendable, CustomStringConvertible {
    case computesTooLong([String])
    case standsStill(at: Duration)
    case notTimed(device: String)
    case cancelled
    case failure(SteppedWorldFailure)

    package var description: String {
      switch self {
      case .computesTooLong(let devices):
        "\(devices.joined(separator: ", ")): computed too long while the world's time stood still, "
          + "or has threads that can't be read in /proc (too few descriptors: ulimit -n)"
      case .standsStill(let time):
        "the programs did \(SteppedWorld.mostSteps) things at \(time.inSeconds) s without letting time pass"
      case .notTimed(let device):
        "\(device): does not follow the world's time: it is linked statically with the C library, or runs elsewhere"
      case .cancelled: "cancelled"
      case .failure(let failure): "\(failure)"
      }
    }
  }

  /// - Parameter onEvent: Called on the thread that runs the world.
  package init(
    _ scenario: Scenario, _ settings: Settings, onEvent: @escaping (Event, SteppedWorld) -> Void
  ) throws(SteppedWorldFailure) {
    var hosted = HostedWorld.Settings()
    token = WorldToken.random()
    hosted.token = token
    world = HostedWorld(scenario, settings: hosted)
    world.journal.isRead = true
    seed = scenario.seed
    let network = settings.hasOwnNetwork ? try ProgramNetwork(library: settings.library) : nil
    if let network {
      connections = SteppedConnections(listener: network.listener)
      (port, networkVariable) = (ProgramNetwork.port, network.variable)
    } else {
      let listener = try Self.listen()
      connections = SteppedConnections(listener: listener.descriptor)
      (port, networkVariable) = (listener.port, nil)
    }
    self.network = network
    self.settings = settings
    self.onEvent = onEvent
  }

  private static func listen() throws(SteppedWorldFailure) -> (descriptor: Int32, port: UInt16) {
    do throws(LinkError) {
      return try TCPSockets.listen(host: "127.0.0.1", port: 0)
    } catch {
      throw .link(error)
    }
  }

  // MARK: Running

  /// Starts the programs one after the other, and runs the world until `end` or until all programs have ended.
  /// Programs that still run are interrupted then, and killed if they go on.
  package func run(
    _ entries: [ProgramEntry], until end: Duration, isCancelled: () -> Bool
  ) throws(Stop) {
    defer { for program in programs { program.end() } }
    for entry in entries {
      do throws(SteppedWorldFailure) {
        programs.append(try start(entry))
      } catch {
        throw .failure(error)
      }
      try settle(isCancelled)
    }
    while now < end, hasPrograms { try step(until: end, isCancelled) }
    for program in programs { program.interrupt() }
    try settle(isCancelled)
    let limit = ContinuousClock.now + Self.realFarewell
    let last = now + Self.farewell
    while hasPrograms, now < last, ContinuousClock.now < limit { try step(until: last, isCancelled) }
    for program in programs {
      program.endLine()
      guard program.page.refusedCount > 0 else { continue }
      let device = program.entry.device
      onEvent(
        .trouble("\(device): \(program.page.refusedCount) waits had no time-out: too many at once"), self)
    }
  }

  private var hasPrograms: Bool { programs.contains { $0.status == nil } }

  /// Lets time pass until the next event, at most until `end`, and handles it.
  private func step(until end: Duration, _ isCancelled: () -> Bool) throws(Stop) {
    let deadlines = programs.filter { $0.status == nil }.compactMap(\.page.nextDeadline)
    let next = ([end, nextHeartbeat] + deadlines + [world.nextEventTime].compactMap(\.self)).min() ?? end
    if next > now { (now, stepsAtThisTime) = (next, 0) }
    stepsAtThisTime += 1
    guard stepsAtThisTime < Self.mostSteps else { throw .standsStill(at: now) }
    if stepsAtThisTime % Self.fewSteps == 0 { for program in programs { program.page.forgetDead() } }
    for program in programs { program.page.now = now }
    world.advance(to: now)
    if now >= nextHeartbeat {
      world.perform(.rate(world.rate))
      nextHeartbeat = now + Self.heartbeat
    }
    if act() { try settle(isCancelled) }
    var hasWoken = false
    for program in programs where program.status == nil && program.page.wake() { hasWoken = true }
    if hasWoken { try settle(isCancelled) }
    if isCancelled() { throw .cancelled }
  }

  /// Sends what the world has to send, and passes its journal on. Returns whether a program got something.
  private func act() -> Bool {
    let hasSent = connections.send(world.takeActions())
    for entry in world.journal.drain().entries {
      onEvent(.journal(entry), self)
    }
    for trouble in connections.takeTroubles() { onEvent(.trouble(trouble), self) }
    return hasSent
  }

  /// Handles everything that happens without the passage of time, until all programs wait.
  private func settle(_ isCancelled: () -> Bool) throws(Stop) {
    let limit = ContinuousClock.now + settings.patience
    var (hasMoved, printing): (Bool, String?) = (true, nil)
    while hasMoved {
      try waitForPrograms(isCancelled)
      hasMoved = false
      for program in programs {
        if program.readOutput() {
          hasMoved = true
          printing = program.entry.device
        }
        if program.noteEnd() {
          hasMoved = true
          onEvent(.ended(program.entry, status: program.status ?? 0), self)
        }
      }
      if connections.receive(into: &world) { hasMoved = true }
      world.advance(to: now)
      if act() { hasMoved = true }
      for hello in connections.takeHellos() { try check(hello) }
      if isCancelled() { throw .cancelled }
      // Programs may print or send for ever, waiting each time until there is room again.
      if hasMoved, ContinuousClock.now > limit { throw .computesTooLong([printing ?? "a program"]) }
    }
  }

  /// What is true between two devices now.
  package func truth(from device: Int, to other: Int) -> SimulatedWorld.LinkTruth? {
    world.truth(from: device, to: other)
  }

  // MARK: Waiting

  /// Waits, in real time, until no thread of any program runs.
  private func waitForPrograms(_ isCancelled: () -> Bool) throws(Stop) {
    var end: ContinuousClock.Instant?
    var attempts = 0
    while true {
      if let seen = idleMark(), !traffic.isWaiting, seen == idleMark() { return }
      attempts += 1
      if attempts < 20 {
        sched_yield()
        continue
      }
      usleep(attempts < 200 ? 50 : 1000)
      // A full pipe may block a program, so empty them. Only after a while, so that lines usually keep the programs'
      // order.
      if attempts > 1000 { for program in programs { _ = program.readOutput() } }
      if isCancelled() { throw .cancelled }
      let limit = end ?? .now + settings.patience
      end = limit
      if ContinuousClock.now > limit {
        throw .computesTooLong(programs.filter { $0.idleMark() == nil }.map(\.entry.device))
      }
    }
  }

  private func idleMark() -> UInt64? {
    var mark: UInt64 = 0
    for program in programs {
      guard let seen = program.idleMark() else { return nil }
      mark = mark &* 31 &+ seen
    }
    return mark
  }

  // MARK: Programs

  /// Checks that a program follows the world's time, if it says which process it is.
  private func check(_ hello: DeviceHello) throws(Stop) {
    guard hello.process != 0, let program = programs.first(where: { $0.entry.device == hello.device }),
      !program.page.isUsed(by: hello.process)
    else { return }
    throw .notTimed(device: hello.device)
  }

  private func start(_ entry: ProgramEntry) throws(SteppedWorldFailure) -> SteppedProgram {
    let number = programs.count
    let folder = "\(settings.folder)/\(number)"
    guard mkdir(folder, 0o700) == 0 else { throw .system(call: "mkdir \(folder)", errno: errno) }
    let page = try TimePage(
      path: "\(folder)/time", seed: SplitMix64(keys: seed, StableHash.of(entry.device)).seed)
    page.now = now
    return try SteppedProgram(entry, page: page, environment: environment(of: entry, page, folder)) {
      [unowned self] in onEvent(.line($0, from: entry), self)
    }
  }

  private func environment(of entry: ProgramEntry, _ page: TimePage, _ folder: String) -> [String: String] {
    var environment = entry.environment(
      world: "127.0.0.1:\(port)", token: token, programFolder: settings.programFolder,
      from: settings.environment)
    if let networkVariable {
      environment[networkVariable.key] = networkVariable.value
      // Neither a server nor the machine's daemon, which is reached through a file, belongs to that network.
      environment["NEARBY_PEERS"] = nil
      environment["NEARBY_DISCOVERY"] = "embedded"
    }
    environment["NEARBY_TIME"] = page.path
    environment["NEARBY_SEED"] = "\(seed)"
    // What a program keeps, it keeps for this run only.
    environment["XDG_STATE_HOME"] = folder
    environment["NEARBY_PEER_KEYS"] = "memory"
    // The order of sets and dictionaries is the same in each run.
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    let before = environment["LD_PRELOAD"].map { [$0] } ?? []
    environment["LD_PRELOAD"] = ([settings.library] + before).joined(separator: ":")
    return environment
  }
}
