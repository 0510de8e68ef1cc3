import Foundation
import Glibc

/// A private message bus, which ends when this value is released.
final class PrivateBus: Sendable {
  struct Failure: Error { var what: String }

  let folder: URL
  let address: String
  private let processID: pid_t

  /// - Parameters:
  ///   - folder: Where its socket is; `nil` creates a folder.
  ///   - deniesDaemon: Whether its policy denies access to `org.bluez`.
  init(in folder: URL? = nil, deniesDaemon: Bool = false) throws {
    let folder = try folder ?? Self.makeFolder()
    self.folder = folder
    address = Self.address(in: folder)
    let rule = deniesDaemon ? "<deny send_destination='org.bluez'/>" : ""
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <listen>\(address)</listen><auth>EXTERNAL</auth>
        <policy context='default'>
          <allow send_destination='*'/><allow receive_sender='*'/><allow own='*'/>\(rule)
        </policy>
      </busconfig>
      """
    let file = folder.appendingPathComponent("bus.conf")
    try Data(configuration.utf8).write(to: file)
    processID = try Self.spawn(["dbus-daemon", "--nofork", "--config-file=\(file.path)", "--print-address=1"])
  }

  deinit {
    kill(processID, SIGKILL)
    var status: Int32 = 0
    waitpid(processID, &status, 0)
    try? FileManager.default.removeItem(at: folder)
  }

  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus.\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  static func address(in folder: URL) -> String { "unix:path=\(folder.path)/bus" }

  /// Starts a program, and waits for the first line of its output.
  private static func spawn(_ arguments: [String]) throws -> pid_t {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(what: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    // Discard the daemon's warning that it may not raise its limit of descriptors.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
    posix_spawn_file_actions_destroy(&actions)
    for word in words { free(word) }
    close(ends[1])
    defer { close(ends[0]) }
    guard status == 0 else { throw Failure(what: "\(arguments[0]): errno \(status)") }
    var octet: UInt8 = 0
    while read(ends[0], &octet, 1) == 1 {
      if octet == UInt8(ascii: "\n") { return process }
    }
    throw Failure(what: "\(arguments[0]) printed no line")
  }
}
