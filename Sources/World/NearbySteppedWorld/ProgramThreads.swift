import CNearbyTimePage
import Foundation

/// The threads of a program and of the processes that it started, as the kernel shows them in /proc.
struct ProgramThreads: ~Copyable {
  /// A thread's files, open.
  private struct Thread {
    let stat: Int32
    /// -1 if this process may not read it.
    let call: Int32
    /// How often it ran: `schedstat`, or `status` if the kernel does not count there.
    let runs: Int32
    let hasScheduleStatistics: Bool
    /// -1 if the kernel does not tell a thread's children.
    let children: Int32

    /// As in proc(5), but R if the thread is only about to sleep or to end.
    var state: UInt8 {
      let state = UInt8(bitPattern: ntp_state(stat))
      let isLeaving = state == UInt8(ascii: "S") || state == UInt8(ascii: "Z")
      return isLeaving && call >= 0 && ntp_is_on_processor(call) ? UInt8(ascii: "R") : state
    }

    /// A number that grows whenever the thread runs.
    var mark: UInt64 { hasScheduleStatistics ? ntp_runs(runs) : ntp_switches(runs) }
  }

  private struct Process {
    /// The folder of its threads, open; its count of links changes with their number.
    let folder: Int32
    var links: UInt64 = 0
    var threads: [Int32: Thread] = [:]
  }

  private let root: Int32
  private var processes: [Int32: Process] = [:]
  /// The thread that was last seen to run, which is checked first.
  private var busy: (process: Int32, thread: Int32)?

  /// Whether the program itself has ended and its last thread, too. What it started may go on.
  private(set) var isOver = false

  init(of root: Int32) { self.root = root }

  deinit {
    for process in processes.values {
      for thread in process.threads.values { Self.close(thread) }
      Foundation.close(process.folder)
    }
  }

  /// Reads the states of all threads.
  ///
  /// Two equal results in succession mean that all threads wait. A thread that slept both times and did not run in
  /// between slept all the time; that holds for all threads from the end of the first reading to the beginning of the
  /// second. One reading is not enough: a thread that was read as asleep can be woken by one that is read later, after it
  /// has fallen asleep itself.
  ///
  /// - Returns: A number that changes when any thread runs; `nil` if one runs now.
  mutating func idleMark() -> UInt64? {
    if let busy, let thread = processes[busy.process]?.threads[busy.thread], Self.runs(thread.state) {
      return nil
    }
    busy = nil
    var mark: UInt64 = 0
    var found: Set<Int32> = []
    var next = [root]
    while let process = next.popLast() {
      guard found.insert(process).inserted else { continue }
      guard let children = idleMark(of: process, &mark) else { return nil }
      next += children
    }
    for (process, known) in processes where !found.contains(process) {
      for thread in known.threads.values { Self.close(thread) }
      Foundation.close(known.folder)
      processes[process] = nil
    }
    return mark
  }

  /// Marks are summed, because the order of threads is arbitrary.
  private static func mark(_ thread: Int32, _ runs: UInt64) -> UInt64 {
    (UInt64(UInt32(bitPattern: thread)) &* 0x9E37_79B9_7F4A_7C15) ^ (runs &* 0xBF58_476D_1CE4_E5B9)
  }

  /// Whether a thread in this state does something: not if it sleeps, is stopped or traced, idle, or over but not
  /// waited for.
  private static func runs(_ state: UInt8) -> Bool { state != 0 && !"STtIZX".utf8.contains(state) }

  /// - Returns: The processes that this one started; `nil` if a thread runs, or if some can't be read now.
  private mutating func idleMark(of id: Int32, _ mark: inout UInt64) -> [Int32]? {
    guard var process = processes.removeValue(forKey: id) ?? Self.open(id) else {
      return Self.isGone(id) ? [] : nil
    }
    defer { processes[id] = process }
    guard Self.list(&process, id) || Self.isGone(id) else { return nil }
    var children: [Int32] = []
    for (number, thread) in process.threads {
      let state = thread.state
      if Self.runs(state) {
        busy = (id, number)
        return nil
      }
      if id == root, state == UInt8(ascii: "Z"), process.threads.count == 1 { isOver = true }
      if state == 0 {
        // It has ended; its number may be another thread's by now.
        Self.close(thread)
        process.threads[number] = nil
        process.links = 0
        continue
      }
      mark &+= Self.mark(number, thread.mark)
      if thread.children >= 0 { children += Self.numbers(in: thread.children) }
    }
    return children
  }

  // MARK: Files

  private static func open(_ id: Int32) -> Process? {
    let folder = Foundation.open("/proc/\(id)/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return folder < 0 ? nil : Process(folder: folder)
  }

  private static func isGone(_ id: Int32) -> Bool { kill(id, 0) != 0 && errno == ESRCH }

  /// Opens the files of threads that are new.
  ///
  /// - Returns: Whether all threads are known now; not if this process lacks descriptors, for example.
  private static func list(_ process: inout Process, _ id: Int32) -> Bool {
    let links = ntp_links(process.folder)
    guard links != process.links else { return true }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task") else {
      return false
    }
    var isComplete = true
    for number in names.compactMap({ Int32($0) }) where process.threads[number] == nil {
      process.threads[number] = open(thread: "/proc/\(id)/task/\(number)", &isComplete)
    }
    if isComplete { process.links = links }
    return isComplete
  }

  /// - Parameter isComplete: Becomes `false` if the thread may exist, but can't be read.
  private static func open(thread folder: String, _ isComplete: inout Bool) -> Thread? {
    var isShort = false
    func file(_ name: String) -> Int32 {
      let descriptor = Foundation.open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
      if descriptor < 0, [EMFILE, ENFILE, ENOMEM].contains(errno) { isShort = true }
      return descriptor
    }
    let stat = file("stat")
    guard stat >= 0 else {
      if isShort { isComplete = false }
      return nil
    }
    var runs = file("schedstat")
    let hasScheduleStatistics = runs >= 0 && ntp_runs(runs) > 0
    if !hasScheduleStatistics {
      if runs >= 0 { Foundation.close(runs) }
      runs = file("status")
    }
    let thread = Thread(
      stat: stat, call: file("syscall"), runs: runs, hasScheduleStatistics: hasScheduleStatistics,
      children: file("children"))
    guard isShort else { return thread }
    close(thread)
    isComplete = false
    return nil
  }

  private static func close(_ thread: Thread) {
    Foundation.close(thread.stat)
    if thread.call >= 0 { Foundation.close(thread.call) }
    if thread.runs >= 0 { Foundation.close(thread.runs) }
    if thread.children >= 0 { Foundation.close(thread.children) }
  }

  /// The decimal numbers in a file.
  private static func numbers(in file: Int32) -> [Int32] {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return [] }
      return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ").compactMap {
        Int32($0)
      }
    }
  }
}
