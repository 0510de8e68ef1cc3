import Foundation
import NearbyBluetooth
import NearbyDevice
import Synchronization

extension CBPeripheralManager {
  /// Updates the manager's state and calls the delegate; runs on the delegate's queue.
  func handle(_ event: BluetoothEvent) {
    switch event {
    case .state(let state): changed(state)
    case .restored(let restoration): restored(restoration)
    case .added(let id, let failure): added(id, failure)
    case .advertising(let failure):
      if failure == nil { contents.withLock { $0.isAdvertising = true } }
      delegate?.peripheralManagerDidStartAdvertising(self, error: failure?.error)
    case .subscribed(let peer, let id, let maximum): subscribed(peer, id, maximum)
    case .unsubscribed(let peer, let id): unsubscribed(peer, id)
    case .readRequest(let id, let peer, let attribute, let offset):
      guard let it = characteristic(attribute) else {
        return access.perform(.respond(id, .failure(.attributeNotFound)))
      }
      let request = CBATTRequest(id, isRead: true, central(peer), it, offset: offset, value: nil)
      guard let delegate else { return respond(to: request, withResult: .requestNotSupported) }
      delegate.peripheralManager(self, didReceiveRead: request)
    case .writeRequest(let id, let peer, let writes): wrote(id, peer, writes)
    case .readyToUpdate: delegate?.peripheralManagerIsReady(toUpdateSubscribers: self)
    case .centralGone(let peer): contents.withLock { $0.centrals[peer] = nil }
    case .sighted, .connected, .notConnected, .disconnected, .discovered, .read, .notified, .wrote,
      .notifying, .rssi, .readyToWrite, .servicesChanged, .nameChanged, .sounded, .soundingEnded, .paired:
      break
    }
  }

  private func characteristic(_ id: AttributeID) -> CBMutableCharacteristic? {
    contents.withLock { $0.characteristics[id] }
  }

  private func central(_ peer: BluetoothPeer) -> CBCentral {
    let state = access.device.bluetooth.peerState(peer)
    return contents.withLock { contents in
      if let known = contents.centrals[peer] { return known }
      let made = CBCentral(peer, maximumUpdate: max(20, state?.maximumWriteWithoutResponse ?? 0))
      contents.centrals[peer] = made
      return made
    }
  }

  private func changed(_ state: BluetoothState) {
    set(state)
    if state != .poweredOn {
      let characteristics = contents.withLock { contents in
        contents.isAdvertising = false
        contents.centrals = [:]
        return contents.characteristics.values.map { $0 }
      }
      characteristics.forEach { $0.unsubscribeAll() }
    }
    delegate?.peripheralManagerDidUpdateState(self)
  }

  private func restored(_ restoration: BluetoothRestoration) {
    let services = restoration.services.map(CBMutableService.init)
    var dict: [String: Any] = [:]
    contents.withLock { contents in
      for service in services {
        contents.services[service.id] = service
        for case let it as CBMutableCharacteristic in service.characteristics ?? [] {
          contents.characteristics[it.id] = it
        }
      }
      contents.isAdvertising = restoration.advertising != nil
      OwnAttributes.restored(
        restoration.services.flatMap { service in
          [service.id] + service.characteristics.flatMap { [$0.id] + $0.descriptors.map(\.id) }
        })
    }
    if !services.isEmpty { dict[CBPeripheralManagerRestoredStateServicesKey] = services }
    if let advertisement = restoration.advertising?.advertisement {
      var data: [String: Any] = [:]
      if let name = advertisement.name { data[CBAdvertisementDataLocalNameKey] = name }
      if !advertisement.services.isEmpty {
        data[CBAdvertisementDataServiceUUIDsKey] = advertisement.services.map(CBUUID.init)
      }
      dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] = data
    }
    delegate?.peripheralManager(self, willRestoreState: dict)
  }

  private func added(_ id: AttributeID, _ failure: BluetoothFailure?) {
    guard let service = contents.withLock({ $0.services[id] }) else { return }
    if failure != nil { forget(id) }
    delegate?.peripheralManager(self, didAdd: service, error: failure?.error)
  }

  private func subscribed(_ peer: BluetoothPeer, _ id: AttributeID, _ maximum: Int) {
    guard let characteristic = characteristic(id) else { return }
    let central = contents.withLock { contents in
      if let known = contents.centrals[peer], known.maximumUpdateValueLength == maximum { return known }
      let made = CBCentral(peer, maximumUpdate: maximum)
      contents.centrals[peer] = made
      return made
    }
    characteristic.subscribed(central)
    delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
  }

  private func unsubscribed(_ peer: BluetoothPeer, _ id: AttributeID) {
    guard let characteristic = characteristic(id), let central = characteristic.unsubscribed(peer) else {
      return
    }
    delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
  }

  private func wrote(_ id: BluetoothRequestID, _ peer: BluetoothPeer, _ writes: [BluetoothWrite]) {
    let central = central(peer)
    let requests = writes.compactMap { write in
      characteristic(write.attribute).map {
        CBATTRequest(id, isRead: false, central, $0, offset: write.offset, value: Data(write.value))
      }
    }
    guard requests.count == writes.count, let first = requests.first else {
      return access.perform(.respond(id, .failure(.attributeNotFound)))
    }
    guard let delegate else { return respond(to: first, withResult: .requestNotSupported) }
    delegate.peripheralManager(self, didReceiveWrite: requests)
  }
}
