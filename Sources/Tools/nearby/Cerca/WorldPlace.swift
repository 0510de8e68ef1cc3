import NearbyRadioLinks
import NearbySchedule
import NearbySimulator

/// The world that a process joins, from its environment.
struct WorldPlace {
  /// Suffix of the discovery identity, so that devices only meet devices of their own world.
  let identity: String

  /// `nil` if the environment names no world.
  init?(_ environment: [String: String]) {
    guard let world = environment["NEARBY_WORLD"], !world.isEmpty else { return nil }
    // A loopback address means a different world on each machine.
    let host = (try? RadioAddress.hostAndPort(world, allowsPortZero: false))?.host ?? ""
    let isLoopback = host.hasPrefix("127.") || host == "::1" || host == "localhost"
    let text = isLoopback ? HostName.short + " " + world : world
    identity = ".world." + String(StableHash.of(text), radix: 16)
  }
}
