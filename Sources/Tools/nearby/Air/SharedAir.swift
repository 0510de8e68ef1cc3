import Foundation
import NearbyCommandLine
import NearbyFiles
import NearbyRadioLinks
import NearbyScenarios
import NearbySchedule
import NearbySimulator

/// The air that a user's processes with the same scenario and seed share: who serves it, and who is on it.
///
/// Four kinds of lock, each on a file of its own, each gone with its process:
///
/// | file | held by |
/// |---|---|
/// | `air-ID.users` | every process on the air, shared; the server waits to have it alone, and then ends |
/// | `air-ID.start` | who looks for the server and starts it, alone |
/// | `air-ID.server` | the server, alone; it says the ports in it |
/// | `air-ID.seat-N` | the process that is device N, alone |
struct SharedAir {
  private let folder: UserFolder
  private let name: String

  /// - Parameters:
  ///   - text: The scenario's, octet by octet: a changed scenario is another air.
  init(text: Data, seed: UInt64, environment: [String: String]) throws(CommandError) {
    folder = try UserFolder(environment)
    let identity = Self.identity(text, seed: seed)
    name = "air-" + String(identity, radix: 16)
  }

  /// Tells scenarios of one user apart, who is not out to deceive themselves.
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

  /// A device's place on the air, for as long as this is kept.
  struct Seat {
    let radio: RadioAddress
    fileprivate let users: FileLock
    fileprivate let place: FileLock
  }

  /// Takes a device's place; starts the server where there is none.
  ///
  /// - Parameter start: Starts one that outlives this process, and returns when it serves or has failed.
  func join(_ device: Int, named name: String, start: () throws(CommandError) -> Void) throws(CommandError)
    -> Seat
  {
    let place = try lock("seat-\(device)")
    guard place.tryAlone() else {
      throw .unavailable("another process is '\(name)' on this air already")
    }
    let users = try lock("users")
    users.takeShared()
    let starting = try lock("start")
    starting.takeAlone()
    defer { starting.release() }
    let server = try lock("server")
    if server.tryAlone() {
      server.release()
      try start()
    }
    guard let port = ports(of: server, after: device) else {
      throw .unavailable("the shared air was started and does not answer")
    }
    return Seat(radio: .tcp(host: "127.0.0.1", port: port), users: users, place: place)
  }

  /// How long a server may take to write its ports: it has them before it says that it listens.
  private static let answerTime = Duration.seconds(10)
  /// Microseconds between two looks at its file.
  private static let lookInterval: UInt32 = 20_000

  /// The port of a device. The server may still be writing, where who started it was killed meanwhile.
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

    /// Tells who comes where the devices are.
    func announce(_ ports: [UInt16]) throws(CommandError) {
      let text = (ports.map(String.init) + [SharedAir.endMark]).joined(separator: "\n") + "\n"
      guard server.write(text) else { throw .inputOutput("the shared air's ports can't be written") }
    }

    /// Waits until nobody is on the air; who comes then starts another.
    func awaitLast() {
      users.takeAlone()
      end()
    }

    /// Gives the right back.
    func end() {
      server.write("")
      // Before `users`: who gets that has to find that nobody serves.
      server.release()
      users.release()
    }
  }

  func serve() throws(CommandError) -> Serving {
    let server = try lock("server")
    guard server.tryAlone() else { throw .unavailable("another process serves this air already") }
    server.write("")
    return Serving(server: server, users: try lock("users"))
  }
}
