import CNearbyTimePage
import Foundation

/// Packets that the kernel has accepted from one program and not yet delivered to another.
///
/// Over a loopback interface that is usually done before `send` returns, but on a busy machine a thread of the kernel
/// does it later.
final class PacketBacklog {
  private let file = open("/proc/net/softnet_stat", O_RDONLY | O_CLOEXEC)

  deinit { if file >= 0 { close(file) } }

  /// Whether any wait now; `false` if the kernel does not tell.
  var isWaiting: Bool { file >= 0 && ntp_has_backlog(file) }
}
