import Foundation
import Synchronization
import TestSupport

@testable import NearbyPeerNetwork

/// Network namespaces connected by virtual wires, created with `ip` and removed with this value.
final class Namespaces: Sendable {
  /// Whether this process may create namespaces.
  static let areAllowed: Bool = {
    let name = "nearby-try-\(getpid())"
    defer { _ = shell("ip netns del \(name)") }
    return shell("ip netns add \(name)").status == 0
  }()

  let left: String
  let right: String

  /// - Parameters:
  ///   - wires: How many wires, each with an interface on either side: `w0`, `w1` and so on. With 0, each
  ///     side has only its loopback.
  ///   - hasIPv4: Whether the wires have IPv4 addresses, `10.99.WIRE.1` on the left and `.2` on the right.
  ///     They always have link-local IPv6 addresses.
  init(wires: Int, hasIPv4: Bool = true) throws {
    let number = UInt32.random(in: 0...999_999)
    left = "nearby-l\(number)"
    right = "nearby-r\(number)"
    // These addresses are unique, so skip the kernel's second of duplicate address detection.
    let trusting = "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad"
    var commands = ["set -e"]
    for side in [left, right] {
      commands += [
        "ip netns add \(side)", "ip netns exec \(side) sh -c '\(trusting)'", "ip -n \(side) link set lo up",
      ]
    }
    for wire in 0..<wires {
      commands.append("ip link add w\(wire) netns \(left) type veth peer name w\(wire) netns \(right)")
      for (side, host) in [(left, 1), (right, 2)] {
        if hasIPv4 { commands.append("ip -n \(side) address add 10.99.\(wire).\(host)/24 dev w\(wire)") }
        commands.append("ip -n \(side) link set w\(wire) up")
      }
    }
    let (status, text) = Self.shell(commands.joined(separator: "\n"))
    guard status == 0 else { throw Failure(command: "ip", output: text) }
  }

  deinit { _ = Self.shell("ip netns del \(left); ip netns del \(right)") }

  /// The path of `ip`.
  static let ip = InstalledTool.ip.path ?? "/usr/sbin/ip"

  private static let networkKind: Int32 = 0x4000_0000  // CLONE_NEWNET
  /// `setns`, which the C library's module does not export.
  private static let enter = dlsym(nil, "setns").map {
    unsafeBitCast($0, to: (@convention(c) (Int32, Int32) -> Int32).self)
  }

  struct Failure: Error {
    var command: String
    var output: String
  }

  /// Does work on a new thread inside a namespace. Threads and sockets that it creates belong to the
  /// namespace.
  func inside<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let descriptor = open("/run/netns/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, Self.enter?(descriptor, Self.networkKind) == 0 else {
          return continuation.resume(throwing: Failure(command: "setns \(name)", output: "errno \(errno)"))
        }
        close(descriptor)
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }

  @discardableResult
  static func shell(_ command: String) -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Spawning.pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    guard (try? Spawning.run(process)) != nil else { return (-1, "no shell") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

/// Starts programs so that none inherits another's pipes: a pipe ends only when every copy of its other end
/// is closed.
enum Spawning {
  private static let turn = Mutex(())

  static func pipe() -> Pipe {
    turn.withLock { _ in
      let pipe = Pipe()
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }

  static func run(_ process: Process) throws { try turn.withLock { _ in try process.run() } }
}

/// A D-Bus daemon and an Avahi daemon inside a namespace, with their own folders.
final class DaemonInNamespace: @unchecked Sendable {
  /// Whether this can be used: the daemons are installed, and no sanitizer prevents loading Avahi's library.
  static let isUsable = ClientLibrary.isAllowed && isInstalled
  private static let isInstalled = InstalledTool.missing(of: [.avahiDaemon, .dbusDaemon]) == nil

  let folder: URL
  var busAddress: String { "unix:path=\(folder.path)/bus" }
  private let process = Process()

  init(_ namespace: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-\(namespace)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let bus = """
      <busconfig><type>system</type><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/><allow user="*"/></policy></busconfig>
      """
    try Data(bus.utf8).write(to: folder.appendingPathComponent("bus.conf"))
    let settings = "[server]\nhost-name=daemon\nenable-dbus=yes\n[rlimits]\n"
    try Data(settings.utf8).write(to: folder.appendingPathComponent("avahi.conf"))
    // The daemon's folder is fixed, so mount one that only this daemon sees.
    let script = """
      mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon
      dbus-daemon --config-file=\(folder.path)/bus.conf --nofork --nopidfile & bus=$!
      export DBUS_SYSTEM_BUS_ADDRESS=\(busAddress)
      while [ ! -S \(folder.path)/bus ]; do sleep 0.02; done
      avahi-daemon -f \(folder.path)/avahi.conf --no-drop-root --no-chroot --no-rlimits & avahi=$!
      trap 'kill -9 $avahi; kill $bus' TERM; wait $avahi; kill $bus
      """
    process.executableURL = URL(fileURLWithPath: Namespaces.ip)
    process.arguments = ["netns", "exec", namespace, "unshare", "-m", "/bin/sh", "-c", script]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try Spawning.run(process)
  }

  /// Waits until the daemon answers on its bus.
  func untilReady() async throws {
    let question = """
      DBUS_SYSTEM_BUS_ADDRESS=\(busAddress) dbus-send --system --print-reply --dest=org.freedesktop.Avahi / \
      org.freedesktop.Avahi.Server.GetState
      """
    // The daemon does not announce that it is ready.
    while Namespaces.shell(question).status != 0 { try await Task.sleep(for: .milliseconds(30)) }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
