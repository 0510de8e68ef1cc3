import Foundation
import TestSupport

@testable import NearbyPeerNetwork

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
      bus=$(dbus-daemon --config-file=\(folder.path)/bus.conf --fork --nopidfile --print-pid)
      export DBUS_SYSTEM_BUS_ADDRESS=\(busAddress)
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
  func untilReady() throws {
    let question = """
      DBUS_SYSTEM_BUS_ADDRESS=\(busAddress) dbus-send --system --print-reply --dest=org.freedesktop.Avahi / \
      org.freedesktop.Avahi.Server.GetState
      """
    // The daemon does not announce that it is ready.
    try waitByPolling(for: "Avahi's answer on its bus") {
      Spawning.shell(question)
    } until: {
      $0.status == 0
    }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
