import NearbyRuntime

// The network under MultipeerConnectivity. At first everybody is on it.
extension World {
  /// How long a packet takes from one phone to another on average; what is drawn lies between the half and three
  /// halves of it. 2 ms at first.
  public func setNetworkLatency(_ latency: Duration) { pump.setNetworkLatency(latency) }

  /// Loses this share of all packets, 0 to 1: unreliable messages are gone, all else comes later.
  public func setNetworkLoss(_ share: Double) { pump.setNetworkLoss(share) }

  /// Two phones no longer hear each other. Nobody is told: what is sent waits, as with a cable pulled out
  /// somewhere between.
  public func partition(_ phone: Phone, _ other: Phone) { pump.partition(phone.index, other.index) }

  /// Ends all partitions. Phones that left stay away.
  public func heal() { pump.heal() }

  /// Breaks the connections between two phones as they are now; both hear so at once, and may connect again.
  public func breakConnections(_ phone: Phone, _ other: Phone) { pump.breakLinks(phone.index, other.index) }
}

extension Phone {
  /// Nobody on the network hears this phone any more, nor does it hear anybody.
  public func leaveNetwork() { world.pump.setOnNetwork(false, device: index) }

  /// The phone is on the network again.
  public func joinNetwork() { world.pump.setOnNetwork(true, device: index) }
}
