import Foundation

/// Network namespaces connected by virtual wires, created with `ip` and removed with this value.
package final class Namespaces: Sendable {
  /// Whether this process may create namespaces.
  package static let areAllowed: Bool = {
    let name = "nearby-try-\(getpid())"
    defer { _ = Spawning.shell("ip netns del \(name)") }
    return Spawning.shell("ip netns add \(name)").status == 0
  }()

  package let left: String
  package let right: String

  /// - Parameters:
  ///   - wires: How many wires, each with an interface on either side: `w0`, `w1` and so on. With 0, each
  ///     side has only its loopback.
  ///   - hasIPv4: Whether the wires have IPv4 addresses, `10.99.WIRE.1` on the left and `.2` on the right.
  ///     They always have link-local IPv6 addresses.
  package init(wires: Int, hasIPv4: Bool = true) throws {
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
    let (status, text) = Spawning.shell(commands.joined(separator: "\n"))
    guard status == 0 else { throw Failure(command: "ip", output: text) }
  }

  deinit { _ = Spawning.shell("ip netns del \(left); ip netns del \(right)") }

  /// The path of `ip`.
  package static let ip = InstalledTool.ip.path ?? "/usr/sbin/ip"

  private static let networkKind: Int32 = 0x4000_0000  // CLONE_NEWNET
  /// `setns`, which the C library's module does not export.
  private static let enter = dlsym(nil, "setns").map {
    unsafeBitCast($0, to: (@convention(c) (Int32, Int32) -> Int32).self)
  }

  package struct Failure: Error {
    var command: String
    var output: String
  }

  /// Does work on a new thread inside a namespace. Threads and sockets that it creates belong to the
  /// namespace.
  package func inside<Result: Sendable>(
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
}
