import NearbyRadioLinks
import NearbySchedule
import NearbySimulator

/// The served world that a process joins, as its environment names it.
struct WorldPlace {
  /// `nil` for the program's name.
  let device: String?
  /// Devices meet those of their own world only: what the discovery identity goes on with.
  let identity: String

  /// `nil` where no world is named.
  init?(_ environment: [String: String]) {
    guard let world = environment["NEARBY_WORLD"], !world.isEmpty else { return nil }
    device = environment["NEARBY_DEVICE"].flatMap { (1...63).contains($0.utf8.count) ? $0 : nil }
    // Loopback is another machine's world on each machine.
    let host = (try? RadioAddress.hostAndPort(world, allowsPortZero: false))?.host ?? ""
    let isLoopback = host.hasPrefix("127.") || host == "::1" || host == "localhost"
    let text = isLoopback ? HostName.short + " " + world : world
    identity = ".world." + String(StableHash.of(text), radix: 16)
  }
}
