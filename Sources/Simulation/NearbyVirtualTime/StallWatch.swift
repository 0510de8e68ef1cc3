import CNearbyVirtualTime
import Glibc
import NearbyDevice

/// Takes the turn away from a thread that waits for an event outside the world's time: a socket, a lock, a thread of
/// no world. The kernel's state of the thread decides, not real time alone, so that a slow machine makes no difference.
final class StallWatch {
  /// Milliseconds between two looks.
  static let interval = 20
  /// Nanoseconds of computing in one turn after which a thread counts as busy for ever.
  private static let mostComputing: UInt64 = 10_000_000_000
  /// How often to find a thread asleep that waits for a queue, which code outside the world may use, or for a lock
  /// while other threads compute: one minute.
  private static let mostLooks = 3000

  /// How often to find a thread asleep that waits for something other than a lock.
  private static let looksAtSleeper = 3
  /// The same for a lock while no thread computes that could release it.
  private static let looksAtLock = 100

  private var turn: UInt64 = 0
  private var asleep = ""
  /// How many looks in a row have found the thread in the same sleep.
  private var asleepLooks = 0
  private var computed: UInt64 = 0

  /// - Parameter thread: The only thread to look at, if one is given.
  func look(_ line: AppLine, at thread: Int32? = nil) {
    let (holder, turns) = line.withState { ($0.holder, $0.turns) }
    guard holder != 0, holder != nvt_thread_number(), thread.map({ $0 == holder }) ?? true else {
      return asleep = ""
    }
    if turns != turn {
      (turn, asleep, asleepLooks, computed) = (turns, "", 0, Self.computing(holder))
      return
    }
    let now = Self.sleep(of: holder)
    asleepLooks = !now.isEmpty && now == asleep ? asleepLooks + 1 : 0
    asleep = now
    if isWaiting(holder, insidePiece: line.withState { $0.running != nil }) {
      line.takeTurn(from: holder, why: "waits in real time")
    } else if Self.computing(holder) - min(computed, Self.computing(holder)) > Self.mostComputing {
      line.takeTurn(from: holder, why: "has computed for 10 seconds")
    }
  }

  private func isWaiting(_ holder: Int32, insidePiece: Bool) -> Bool {
    guard insidePiece else { return asleepLooks >= Self.mostLooks }
    guard Self.waitsForLock(holder) else { return asleepLooks >= Self.looksAtSleeper }
    guard asleepLooks >= Self.looksAtLock else { return false }
    return asleepLooks >= Self.mostLooks || !Self.isAnyRunning()
  }

  /// Whether another thread of this process runs or could run.
  private static func isAnyRunning() -> Bool {
    guard let folder = opendir("/proc/self/task") else { return false }
    defer { closedir(folder) }
    let me = nvt_thread_number()
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { octets in
        String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let thread = Int32(name), thread != me else { continue }
      if isRunning(thread) { return true }
    }
    return false
  }

  private static func isRunning(_ thread: Int32) -> Bool {
    guard let file = fopen("/proc/self/task/\(thread)/status", "r") else { return false }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(clamping: line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("State:") { return text.contains("R (running)") }
    }
    return false
  }

  /// The kernel's line with the number of times that a thread has gone to sleep; empty if it is not asleep.
  private static func sleep(of thread: Int32) -> String {
    guard let file = fopen("/proc/self/task/\(thread)/status", "r") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    var isAsleep = false
    while fgets(&line, Int32(clamping: line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("State:") { isAsleep = text.contains("S (sleeping)") }
      if isAsleep, text.hasPrefix("voluntary_ctxt") { return text }
    }
    return ""
  }

  /// Whether a sleeping thread waits for a futex, thus for a lock or another thread. True if the kernel hides that.
  private static func waitsForLock(_ thread: Int32) -> Bool {
    guard let file = fopen("/proc/self/task/\(thread)/wchan", "r") else { return true }
    defer { fclose(file) }
    var name = [CChar](repeating: 0, count: 128)
    guard fgets(&name, Int32(clamping: name.count), file) != nil else { return true }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text == "0" || text.isEmpty || text.contains("futex")
  }

  /// Nanoseconds that a thread has run on a processor.
  private static func computing(_ thread: Int32) -> UInt64 {
    guard let file = fopen("/proc/self/task/\(thread)/schedstat", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(clamping: line.count), file) != nil else { return 0 }
    return strtoull(line, nil, 10)
  }
}

extension AppLine {
  /// Takes the turn away from a thread and passes it on.
  fileprivate func takeTurn(from thread: Int32, why: String) {
    let taken = withState { state -> (phone: Int32, queue: Address?)? in
      guard state.holder == thread else { return nil }
      defer { state.running = nil }
      state.holder = 0
      state.stalls += 1
      // The piece occupies its serial queue until it ends.
      if let lane = state.running?.queue.flatMap(nvt_serial_queue) {
        state.stalled[thread, default: []] += state.hold([lane])
        if lane == nvt_main_queue() { state.stalledOnMain = state.running?.phone }
      }
      return state.running ?? (-1, nil)
    }
    guard let taken else { return }
    report(taken.phone, taken.queue, why)
    _ = passTurn()
  }

  /// Writes a notice that names the app whose code keeps the world waiting.
  func report(_ phone: Int32, _ queue: Address?, _ why: String) {
    let owner = owner(of: phone)
    let place = queue.flatMap(nvt_label).map { " on the queue \u{201C}\(String(cString: $0))\u{201D}" } ?? ""
    Notice.write(
      "\(owner)\(place) \(why), which the World's time does not move; the World goes on without it (World.stalls)"
    )
  }
}
