import Foundation
import NearbyCommandLine
import NearbyFiles
import NearbyRadioLinks
import NearbyScenarios
import NearbySchedule
import NearbySimulator

/// The air shared by all processes of a user that run the same scenario and seed: its server and its members.
///
/// Four kinds of lock coordinate the processes. Each is on a file of its own and ends with its process:
///
/// | file | held by |
/// |---|---|
/// | `air-ID.users` | every process on the air, shared; the server waits for it exclusively, and then ends |
/// | `air-ID.start` | the process that looks for the server and starts it, exclusively |
/// | `air-ID.server` | the server, exclusively; the file lists the ports |
/// | `air-ID.seat-N` | the process that is device N, exclusively |
struct SharedAir {
  private let folder: UserFolder
  private let name: String

  /// - Parameters:
  ///   - text: The octets of the scenario: a changed scenario is another air.
  init(text: Data, seed: UInt64, environment: [String: String]) throws(CommandError) {
    folder = try UserFolder(environment)
    let identity = Self.identity(text, seed: seed)
    name = "air-" + String(identity, radix: 16)
  }

  /// Distinguishes the scenarios of one user. It does not resist deliberate collisions.
  static func identity(_ text: Data, seed: UInt64) -> UInt64 {
    let seedOctets = (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * UInt64($0))) }
    return StableHash.of(seedOctets + text)
  }

  fileprivate func lock(_ part: String) throws(CommandError) -> FileLock {
    let path = folder.file("\(name).\(part)")
    do throws(FileFailure) {
      return try FileLock(path)
    } catch {
      throw .unavailable("\(path): can't be opened: \(error.reason)")
    }
  }

  // MARK: On the air

  /// A device's place on the air, held as long as this value exists.
  struct Seat {
    let radio: RadioAddress
    fileprivate let users: FileLock
    fileprivate let place: FileLock
  }

  /// Takes a device's place, and starts the server if none is running.
  ///
  /// - Parameter start: Starts a server that outlives this process; returns once it serves or has failed.
  func join(_ device: Int, named name: String, start: () throws(CommandError) -> Void) throws(CommandError)
    -> Seat
  {
    let place = try lock("seat-\(device)")
    guard place.tryAlone() else {
      throw .unavailable("another process already is '\(name)' on this air; choose another device with --as")
    }
    let users = try lock("users")
    users.lockShared()
    let starting = try lock("start")
    starting.lockExclusively()
    defer { starting.release() }
    let server = try lock("server")
    if server.tryAlone() {
      server.release()
      try start()
    }
    guard let port = ports(of: server, after: device) else {
      throw .unavailable("the shared air does not answer; try again")
    }
    return Seat(radio: .tcp(host: "127.0.0.1", port: port), users: users, place: place)
  }

  /// How long a server may take to write its ports, which it knows before it reports that it is listening.
  private static let answerTime = Duration.seconds(10)
  /// Microseconds between two reads of the server's file.
  private static let lookInterval: UInt32 = 20_000

  /// The port of a device. Waits, because the server may still be writing if its starter was killed.
  private func ports(of server: FileLock, after device: Int) -> UInt16? {
    let end = ContinuousClock.now + Self.answerTime
    while ContinuousClock.now < end {
      let lines = server.text.split(separator: "\n")
      if lines.last == Substring(Self.endMark), lines.indices.dropLast().contains(device) {
        return UInt16(lines[device])
      }
      usleep(Self.lookInterval)
    }
    return nil
  }

  // MARK: The server

  private static let endMark = "end"

  /// The right to serve an air.
  struct Serving {
    fileprivate let server: FileLock
    fileprivate let users: FileLock

    /// Publishes the devices' ports to processes that join.
    func announce(_ ports: [UInt16]) throws(CommandError) {
      let text = (ports.map(String.init) + [SharedAir.endMark]).joined(separator: "\n") + "\n"
      guard server.write(text) else { throw .inputOutput("can't write the ports of the shared air") }
    }

    /// Waits until the last process has left the air. A process that joins afterwards starts a new server.
    func awaitLast() {
      users.lockExclusively()
      end()
    }

    /// Gives the right back.
    func end() {
      server.write("")
      // Released before `users`, so that the next holder of `users` finds no server.
      server.release()
      users.release()
    }
  }

  func serve() throws(CommandError) -> Serving {
    let server = try lock("server")
    guard server.tryAlone() else { throw .unavailable("another process already serves this air") }
    server.write("")
    return Serving(server: server, users: try lock("users"))
  }
}
