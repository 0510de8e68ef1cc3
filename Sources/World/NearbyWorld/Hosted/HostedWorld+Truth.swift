import NearbyAirs
import NearbySimulator

/// What is true in a world, for those who judge its programs.
extension HostedWorld {
  /// The true distance and direction from a device to another one at the world's time; `nil` if one does not exist.
  package mutating func truth(from device: Int, to other: Int) -> SimulatedWorld.LinkTruth? {
    guard exists(device), exists(other) else { return nil }
    return air.medium.world.truth(from: devices[device].radio, to: devices[other].radio, at: time)
  }
}
