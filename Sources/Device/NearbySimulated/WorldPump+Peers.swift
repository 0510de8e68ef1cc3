import NearbyDevice
import NearbyPeerLink
import Synchronization

// The network between the devices of a world.
extension WorldPump {
  /// Sets the mean one-way latency between two hosts.
  package func setNetworkLatency(_ latency: Duration) {
    state.withLock { $0.network.latency = max(latency, .zero) }
  }

  /// Sets the share of packets that are lost, 0 to 1.
  package func setNetworkLoss(_ share: Double) {
    state.withLock { $0.network.loss = min(max(share, 0), 1) }
  }

  package func partition(_ a: Int, _ b: Int) {
    guard a != b else { return }
    state.withLock { $0.changeNetwork { $0.partitions.insert([min(a, b), max(a, b)]) } }
  }

  /// Ends all partitions; devices that left the network stay away.
  package func heal() { state.withLock { $0.changeNetwork { $0.partitions = [] } } }

  package func breakLinks(_ a: Int, _ b: Int) { state.withLock { $0.breakLinks(between: a, and: b) } }
}
