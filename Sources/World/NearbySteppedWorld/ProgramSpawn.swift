import CNearbyTimePage
import Foundation

/// Starts shell commands, each in a process group of its own.
enum ProgramSpawn {
  /// Starts a command without input.
  ///
  /// - Returns: Its process, and a pipe with its standard output and error, which the caller closes. Reading it never
  ///   waits.
  static func shell(
    _ command: String, _ environment: [String: String]
  ) throws(SteppedWorldFailure) -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [-1, -1]
    guard ntp_pipe(&ends) == 0 else { throw .system(call: "pipe2", errno: errno) }
    defer { close(ends[1]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    do throws(SteppedWorldFailure) {
      return (try spawn(command, environment, descriptors: [1: ends[1], 2: ends[1]]), ends[0])
    } catch {
      close(ends[0])
      throw error
    }
  }

  /// - Parameter descriptors: Those that the command has, by the number that they get, besides an empty input.
  static func spawn(
    _ command: String, _ environment: [String: String], descriptors: [Int32: Int32]
  ) throws(SteppedWorldFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (number, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals as at the beginning of a program, whatever this process ignores.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words: [UnsafeMutablePointer<CChar>?] =
      (["sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, variables)
    guard failure == 0 else { throw .system(call: "/bin/sh -c '\(command)'", errno: failure) }
    return process
  }
}
