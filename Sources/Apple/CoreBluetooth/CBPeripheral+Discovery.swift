import Foundation
import NearbyBluetooth
import NearbyConcurrency
import Synchronization

extension CBPeripheral {
  /// Discovers the whole attribute table on the first request and answers later ones from the stored table.
  func find(_ discovery: PeripheralContents.Discovery) {
    enum Way { case fail, answer, wait, ask }
    let way: Way = contents.withLock { contents in
      guard contents.state == .connected else { return .fail }
      if contents.table != nil { return .answer }
      contents.waiting.append(discovery)
      return contents.waiting.count == 1 ? .ask : .wait
    }
    switch way {
    case .fail: access.later { [weak self] in self?.resolve(discovery, CBError(.notConnected)) }
    case .answer: access.later { [weak self] in self?.resolve(discovery, nil) }
    case .wait: break
    case .ask: access.perform(.discover(peer))
    }
  }

  func found(_ result: Result<[GATTService], BluetoothFailure>) {
    let waiting = contents.withLock { contents in
      if case .success(let table) = result { contents.table = table }
      defer { contents.waiting = [] }
      return contents.waiting
    }
    switch result {
    case .success: waiting.forEach { resolve($0, nil) }
    // The delegate gets no answer because the connection that the requests belonged to is gone.
    case .failure(.operationCancelled): break
    case .failure(let failure): waiting.forEach { resolve($0, failure.error) }
    }
  }

  private func resolve(_ discovery: PeripheralContents.Discovery, _ error: (any Error)?) {
    let delegate = contents.withLock { contents in
      if error == nil { contents.show(discovery, of: self) }
      return contents.delegate.object
    }
    guard let delegate else { return }
    switch discovery {
    case .services: delegate.peripheral(self, didDiscoverServices: error)
    case .included(_, let service):
      delegate.peripheral(self, didDiscoverIncludedServicesFor: service, error: error)
    case .characteristics(_, let service):
      delegate.peripheral(self, didDiscoverCharacteristicsFor: service, error: error)
    case .descriptors(let characteristic):
      delegate.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: error)
    }
  }

  /// Restores the state of an earlier process's peripheral, including every attribute that was discovered.
  func restore(_ state: CBPeripheralState, table: [GATTService]?, notifying: [AttributeID]) {
    contents.withLock { contents in
      contents.state = state
      guard let table else { return }
      contents.table = table
      contents.show(.services(nil), of: self)
      for service in contents.services ?? [] {
        contents.show(.characteristics(nil, service), of: self)
        contents.show(.included(nil, service), of: self)
        for characteristic in service.characteristics ?? [] {
          contents.show(.descriptors(characteristic), of: self)
        }
      }
      for id in notifying {
        guard let characteristic = contents.attributes[id] as? CBCharacteristic else { continue }
        characteristic.contents.withLock { $0.isNotifying = true }
      }
    }
  }

  /// Removes services that the peripheral has changed. Objects the app still holds stay alive but can't be
  /// used.
  func invalidate(_ gone: [AttributeID]) {
    let (invalidated, delegate) = contents.withLock { contents in
      contents.table = nil
      let invalidated = (contents.services ?? []).filter { gone.contains($0.id) }
      contents.services?.removeAll { gone.contains($0.id) }
      for service in invalidated {
        contents.attributes[service.id] = nil
        for characteristic in service.characteristics ?? [] {
          contents.attributes[characteristic.id] = nil
          characteristic.contents.withLock { $0.isNotifying = false }
          for descriptor in characteristic.descriptors ?? [] { contents.attributes[descriptor.id] = nil }
        }
      }
      return (invalidated, contents.delegate.object)
    }
    delegate?.peripheral(self, didModifyServices: invalidated)
  }
}

extension PeripheralContents {
  /// Creates objects for the part of the table that was asked for; existing objects are reused.
  mutating func show(_ discovery: Discovery, of peripheral: CBPeripheral) {
    guard let table else { return }
    switch discovery {
    case .services(let wanted):
      services = table.compactMap { service in
        isAsked(service.id, service.uuid, wanted) ? self.service(service, of: peripheral) : nil
      }
    case .included(let wanted, let service):
      let ids = table.first { $0.id == service.id }?.includedServices ?? []
      let included = table.filter { ids.contains($0.id) && isAsked($0.id, $0.uuid, wanted) }
        .map { self.service($0, of: peripheral) }
      service.contents.withLock { $0.included = included }
    case .characteristics(let wanted, let service):
      let all = table.first { $0.id == service.id }?.characteristics ?? []
      let shown = all.compactMap { it in
        isAsked(it.id, it.uuid, wanted) ? characteristic(it, of: service) : nil
      }
      service.contents.withLock { $0.characteristics = shown }
    case .descriptors(let characteristic):
      let all = table.flatMap(\.characteristics).first { $0.id == characteristic.id }?.descriptors ?? []
      let shown = all.map { descriptor($0, of: characteristic) }
      characteristic.contents.withLock { $0.descriptors = shown }
    }
  }

  private func isAsked(_ id: AttributeID, _ uuid: BluetoothUUID, _ wanted: [CBUUID]?) -> Bool {
    guard let wanted, !wanted.isEmpty else { return true }
    return attributes[id] != nil || wanted.contains { $0.value == uuid }
  }

  private mutating func service(_ found: GATTService, of peripheral: CBPeripheral) -> CBService {
    if let known = attributes[found.id] as? CBService, known.uuid.value == found.uuid { return known }
    let made = CBService(
      id: found.id, uuid: CBUUID(found.uuid), isPrimary: found.isPrimary, peripheral: peripheral)
    attributes[found.id] = made
    return made
  }

  private mutating func characteristic(
    _ found: GATTCharacteristic, of service: CBService
  ) -> CBCharacteristic {
    if let known = attributes[found.id] as? CBCharacteristic, known.uuid.value == found.uuid,
      known.service === service
    {
      return known
    }
    let made = CBCharacteristic(
      id: found.id, uuid: CBUUID(found.uuid),
      properties: CBCharacteristicProperties(rawValue: UInt(found.properties.rawValue)), service: service)
    attributes[found.id] = made
    return made
  }

  private mutating func descriptor(
    _ found: GATTDescriptor, of characteristic: CBCharacteristic
  ) -> CBDescriptor {
    if let known = attributes[found.id] as? CBDescriptor, known.uuid.value == found.uuid,
      known.characteristic === characteristic
    {
      return known
    }
    let made = CBDescriptor(id: found.id, uuid: CBUUID(found.uuid), characteristic: characteristic)
    attributes[found.id] = made
    return made
  }
}
