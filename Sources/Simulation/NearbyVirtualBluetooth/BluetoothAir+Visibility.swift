import NearbyBluetooth

/// Apps that see only the accessories that were set up for them.
extension BluetoothAir {
  /// Sets which peers the device's app may find and connect to as a central; `nil` means all.
  ///
  /// An app with such a limit needs no permission. Its links to peers that it may no longer see end.
  package mutating func setVisiblePeers(_ peers: Set<BluetoothPeer>?, device: Int, at now: Duration) {
    change(device, at: now) { $0.visiblePeers = peers }
    guard peers != nil else { return }
    for client in devices[device].clients where clients[client]?.isCentral == true {
      for other in clients[client]?.wanted ?? [] {
        let peer = peer(other, of: device)
        if !canSee(peer, device: device) { disconnect(peer, client, device: device) }
      }
      for id in devices[device].links {
        guard let link = links[id], link.central == device, link.users.contains(client) else { continue }
        let peer = peer(link.peripheral, of: device)
        if !canSee(peer, device: device) { disconnect(peer, client, device: device) }
      }
    }
  }

  /// Whether the device's app may know a peer.
  func canSee(_ peer: BluetoothPeer, device: Int) -> Bool {
    devices[device].visiblePeers?.contains(peer) ?? true
  }
}
