import Foundation
import NearbyBluetooth
import Synchronization

extension CBPeripheral {
  /// Updates the peripheral's state and calls the delegate; runs on the delegate's queue.
  func report(_ event: BluetoothEvent) {
    switch event {
    case .discovered(_, let result): found(result)
    case .read(_, let id, let result): read(id, result)
    case .notified(_, let id, let octets): read(id, .success(octets))
    case .wrote(_, let id, let failure): wrote(id, failure)
    case .notifying(_, let id, let isOn, let failure): notifying(id, isOn, failure)
    case .rssi(_, .success(let power)):
      delegate?.peripheral(self, didReadRSSI: NSNumber(value: power), error: nil)
    case .rssi(_, .failure(.operationCancelled)): break
    case .rssi(_, .failure(let failure)):
      // Controllers report 127 when the RSSI is not available.
      delegate?.peripheral(self, didReadRSSI: 127, error: failure.error)
    case .readyToWrite: delegate?.peripheralIsReady(toSendWriteWithoutResponse: self)
    case .servicesChanged(_, let gone): invalidate(gone)
    case .sounded(_, let result): sounded(result)
    case .soundingEnded(_, let failure): soundingEnded(failure)
    case .nameChanged(_, let name):
      set(name: name)
      delegate?.peripheralDidUpdateName(self)
    case .state, .restored, .sighted, .connected, .notConnected, .disconnected, .added, .advertising,
      .subscribed, .unsubscribed, .readRequest, .writeRequest, .readyToUpdate, .centralGone,
      .paired:
      break
    }
  }

  func set(name: String?) { contents.withLock { $0.name = name } }

  private func attribute(_ id: AttributeID) -> CBAttribute? { contents.withLock { $0.attributes[id] } }

  private func read(_ id: AttributeID, _ result: Result<[UInt8], BluetoothFailure>) {
    var error: (any Error)?
    if case .failure(let failure) = result {
      if failure == .operationCancelled { return }
      error = failure.error
    }
    let octets = try? result.get()
    switch attribute(id) {
    case let characteristic as CBCharacteristic:
      if let octets { characteristic.contents.withLock { $0.value = Data(octets) } }
      delegate?.peripheral(self, didUpdateValueFor: characteristic, error: error)
    case let descriptor as CBDescriptor:
      if let octets { descriptor.contents.withLock { $0.octets = octets } }
      delegate?.peripheral(self, didUpdateValueFor: descriptor, error: error)
    case _: break
    }
  }

  private func wrote(_ id: AttributeID, _ failure: BluetoothFailure?) {
    let isAnswer = contents.withLock { contents in
      guard let count = contents.pendingWrites[id], count > 0 else { return false }
      contents.pendingWrites[id] = count - 1
      return true
    }
    guard isAnswer, failure != .operationCancelled else { return }
    switch attribute(id) {
    case let characteristic as CBCharacteristic:
      delegate?.peripheral(self, didWriteValueFor: characteristic, error: failure?.error)
    case let descriptor as CBDescriptor:
      delegate?.peripheral(self, didWriteValueFor: descriptor, error: failure?.error)
    case _: break
    }
  }

  private func notifying(_ id: AttributeID, _ isOn: Bool, _ failure: BluetoothFailure?) {
    guard failure != .operationCancelled, let characteristic = attribute(id) as? CBCharacteristic else {
      return
    }
    if failure == nil { characteristic.contents.withLock { $0.isNotifying = isOn } }
    delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: failure?.error)
  }
}
