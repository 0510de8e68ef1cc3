import Foundation
import NearbyCommandLine

/// Starts another process of this program.
enum OwnProgram {
  /// The file of the running program.
  static var path: String {
    let link = "/proc/self/exe"
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? CommandLine.arguments[0]
  }

  /// Starts the program in a session of its own, so that it survives this process and its terminal.
  ///
  /// - Returns: The first line of its standard error, or `nil` if it ended without one.
  static func startDetached(_ program: String, _ words: [String]) throws(CommandError) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .unavailable("can't create a pipe: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[0]) }
    closeDescriptorsOnExec()
    let failure = spawn(program, words, errors: ends[1])
    close(ends[1])
    guard failure == 0 else {
      throw .unavailable("\(program): can't be started: \(String(cString: strerror(failure)))")
    }
    var line: [UInt8] = []
    var octet: UInt8 = 0
    while true {
      let count = read(ends[0], &octet, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, octet != UInt8(ascii: "\n") else { break }
      line.append(octet)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Keeps inherited descriptors out of the new process: another process may be waiting for them to close.
  private static func closeDescriptorsOnExec() {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in open.compactMap(Int32.init) where descriptor > STDERR_FILENO {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  private static func spawn(_ program: String, _ words: [String], errors: Int32) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID requires _GNU_SOURCE, which Glibc's module does not define.
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(
      &attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child = pid_t()
    return posix_spawn(&child, program, &actions, &attributes, arguments, environ)
  }
}
