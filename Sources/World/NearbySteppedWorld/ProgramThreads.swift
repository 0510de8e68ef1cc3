import CNearbyTimePage
import Foundation

/// The threads of a program and of the processes that it started, as the kernel shows them in /proc.
struct ProgramThreads: ~Copyable {
  /// A thread's files, open.
  private struct Thread {
    let status: Int32
    /// -1 if the kernel does not tell a thread's children.
    let children: Int32
  }

  private struct Process {
    /// The folder of its threads, open; its count of links changes with their number.
    let folder: Int32
    var links = UInt(0)
    var threads: [Int32: Thread] = [:]
  }

  private let root: Int32
  private var processes: [Int32: Process] = [:]

  init(of root: Int32) { self.root = root }

  deinit {
    for process in processes.values {
      for thread in process.threads.values { Self.close(thread) }
      Foundation.close(process.folder)
    }
  }

  /// Looks at all threads once.
  ///
  /// - Returns: A number that changes when any of them has run; `nil` if one runs now. Two equal looks therefore mean
  ///   that none ran in between, and all wait.
  mutating func look() -> UInt64? {
    var mark: UInt64 = 0
    var found: Set<Int32> = []
    var next = [root]
    while let process = next.popLast() {
      guard found.insert(process).inserted else { continue }
      guard let children = look(at: process, &mark) else { return nil }
      next += children
    }
    for (process, known) in processes where !found.contains(process) {
      for thread in known.threads.values { Self.close(thread) }
      Foundation.close(known.folder)
      processes[process] = nil
    }
    return mark
  }

  /// - Returns: The processes that this one started; `nil` if a thread runs.
  private mutating func look(at id: Int32, _ mark: inout UInt64) -> [Int32]? {
    guard var process = processes.removeValue(forKey: id) ?? Self.open(id) else { return [] }
    defer { processes[id] = process }
    Self.list(&process, id)
    var children: [Int32] = []
    for (number, thread) in process.threads {
      let seen = ntp_read_thread(thread.status)
      switch UInt8(bitPattern: seen.state) {
      // Sleeping, stopped, traced, idle, or over but not waited for.
      case UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "I"), UInt8(ascii: "Z"),
        UInt8(ascii: "X"):
        break
      case 0:
        // It has ended; its number may be another thread's by now.
        Self.close(thread)
        process.threads[number] = nil
        process.links = 0
      default: return nil
      }
      // A sum, because the order of the threads is arbitrary.
      mark &+= (UInt64(UInt32(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15) ^ (seen.switches &* 0xBF58_476D_1CE4_E5B9)
      if thread.children >= 0 { children += Self.numbers(in: thread.children) }
    }
    return children
  }

  // MARK: Files

  private static func open(_ id: Int32) -> Process? {
    let folder = Foundation.open("/proc/\(id)/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return folder < 0 ? nil : Process(folder: folder)
  }

  /// Opens the files of threads that are new.
  private static func list(_ process: inout Process, _ id: Int32) {
    var info = stat()
    guard fstat(process.folder, &info) == 0, UInt(info.st_nlink) != process.links else { return }
    process.links = UInt(info.st_nlink)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    for number in names.compactMap({ Int32($0) }) where process.threads[number] == nil {
      let folder = "/proc/\(id)/task/\(number)"
      let status = Foundation.open("\(folder)/status", O_RDONLY | O_CLOEXEC)
      if status < 0 { continue }
      process.threads[number] = Thread(
        status: status, children: Foundation.open("\(folder)/children", O_RDONLY | O_CLOEXEC))
    }
  }

  private static func close(_ thread: Thread) {
    Foundation.close(thread.status)
    if thread.children >= 0 { Foundation.close(thread.children) }
  }

  /// The decimal numbers in a file.
  private static func numbers(in file: Int32) -> [Int32] {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return [] }
      return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
  }
}
