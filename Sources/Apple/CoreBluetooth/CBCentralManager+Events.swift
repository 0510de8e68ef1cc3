import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbySchedule
import Synchronization

extension CBCentralManager {
  /// Updates the manager's state and calls the delegate; runs on the delegate's queue.
  func handle(_ event: BluetoothEvent) {
    switch event {
    case .state(let state): changed(state)
    case .restored(let restoration): restored(restoration)
    case .sighted(let sighting): sighted(sighting)
    case .connected(let peer): connected(peripheral(peer))
    case .notConnected(let peer, let failure):
      let peripheral = peripheral(peer)
      peripheral.contents.withLock { $0.disconnect() }
      delegate?.centralManager(self, didFailToConnect: peripheral, error: failure.error)
    case .disconnected(let peer, let failure): disconnected(peripheral(peer), failure)
    case .discovered(let peer, _), .read(let peer, _, _), .notified(let peer, _, _), .wrote(let peer, _, _),
      .notifying(let peer, _, _, _), .rssi(let peer, _), .readyToWrite(let peer),
      .servicesChanged(let peer, _), .nameChanged(let peer, _), .sounded(let peer, _),
      .soundingEnded(let peer, _):
      // Drop the event if the app has released the peripheral.
      contents.withLock { $0.peripherals[peer]?.object }?.report(event)
    case .added, .advertising, .subscribed, .unsubscribed, .readRequest, .writeRequest, .readyToUpdate,
      .centralGone, .paired:
      break
    }
  }

  private func changed(_ state: BluetoothState) {
    set(state)
    if state != .poweredOn {
      let peripherals = contents.withLock { contents in
        contents.isScanning = false
        return contents.peripherals.values.compactMap(\.object)
      }
      for peripheral in peripherals { peripheral.contents.withLock { $0.disconnect() } }
    }
    delegate?.centralManagerDidUpdateState(self)
  }

  private func restored(_ restoration: BluetoothRestoration) {
    var peripherals: [CBPeripheral] = []
    for peer in restoration.connected {
      let it = peripheral(peer)
      it.restore(
        .connected, table: restoration.tables[peer], notifying: restoration.notifying[peer] ?? [])
      peripherals.append(it)
    }
    for peer in restoration.connecting {
      let it = peripheral(peer)
      it.restore(.connecting, table: nil, notifying: [])
      peripherals.append(it)
    }
    var dict: [String: Any] = [CBCentralManagerRestoredStatePeripheralsKey: peripherals]
    if let scan = restoration.scan {
      dict[CBCentralManagerRestoredStateScanServicesKey] = (scan.services ?? []).map(CBUUID.init)
      dict[CBCentralManagerRestoredStateScanOptionsKey] = [
        CBCentralManagerScanOptionAllowDuplicatesKey: scan.allowsDuplicates
      ]
      contents.withLock { $0.isScanning = true }
    }
    delegate?.centralManager(self, willRestoreState: dict)
  }

  private func sighted(_ sighting: BluetoothSighting) {
    // A sighting may still be queued when the scan stops.
    guard isScanning else { return }
    let it = peripheral(sighting.peer)
    if let name = sighting.advertisement.name { it.set(name: name) }
    delegate?.centralManager(
      self, didDiscover: it,
      advertisementData: Self.dictionary(sighting, isVirtual: access.device.app.isVirtual),
      rssi: NSNumber(value: sighting.rssi))
  }

  private static func dictionary(_ sighting: BluetoothSighting, isVirtual: Bool) -> [String: Any] {
    let advertisement = sighting.advertisement
    let time =
      isVirtual ? sighting.time.inSeconds : Date().timeIntervalSinceReferenceDate
    var data: [String: Any] = [
      CBAdvertisementDataIsConnectable: NSNumber(value: advertisement.isConnectable),
      AdvertisementKey.timestamp: NSNumber(value: time),
    ]
    func set(_ key: String, _ uuids: [BluetoothUUID]) {
      if !uuids.isEmpty { data[key] = uuids.map(CBUUID.init) }
    }
    if let name = advertisement.name { data[CBAdvertisementDataLocalNameKey] = name }
    set(CBAdvertisementDataServiceUUIDsKey, advertisement.services)
    set(CBAdvertisementDataOverflowServiceUUIDsKey, advertisement.overflowServices)
    set(CBAdvertisementDataSolicitedServiceUUIDsKey, advertisement.solicitedServices)
    if let power = advertisement.transmitPower {
      data[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: Int(power))
    }
    // Apple's dictionary has a single entry for manufacturer data, so only the first is passed on.
    if let first = advertisement.manufacturerData.first {
      data[CBAdvertisementDataManufacturerDataKey] =
        Data([UInt8(first.company & 0xFF), UInt8(first.company >> 8)] + first.octets)
    }
    if !advertisement.serviceData.isEmpty {
      data[CBAdvertisementDataServiceDataKey] = Dictionary(
        advertisement.serviceData.map { (CBUUID($0.service), Data($0.octets)) }, uniquingKeysWith: { $1 })
    }
    return data
  }

  private func connected(_ peripheral: CBPeripheral) {
    peripheral.contents.withLock { contents in
      contents.disconnect()
      contents.state = .connected
    }
    delegate?.centralManager(self, didConnect: peripheral)
    notifyOfConnection(.peerConnected, peripheral)
  }

  private func disconnected(_ peripheral: CBPeripheral, _ failure: BluetoothFailure?) {
    let reconnects = peripheral.contents.withLock { contents in
      contents.disconnect()
      // After failed pairing the stored keys are invalid, so another attempt would fail as well.
      let reconnects = contents.reconnects && failure != nil && failure != .pairingFailed
      if reconnects { contents.state = .connecting }
      return reconnects
    }
    if reconnects { access.perform(.connect(peripheral.peer)) }
    delegate?.centralManager(
      self, didDisconnectPeripheral: peripheral, timestamp: Date().timeIntervalSinceReferenceDate,
      isReconnecting: reconnects, error: failure?.error)
    notifyOfConnection(.peerDisconnected, peripheral)
  }

  private func notifyOfConnection(_ event: CBConnectionEvent, _ peripheral: CBPeripheral) {
    guard let watched = contents.withLock({ $0.watched }) else { return }
    if let identifiers = watched.identifiers, !identifiers.contains(peripheral.identifier) { return }
    if let services = watched.services {
      let known = access.device.bluetooth.connectedPeers(with: services.map(\.value))
      guard event == .peerDisconnected || known.contains(peripheral.peer) else { return }
    }
    delegate?.centralManager(self, connectionEventDidOccur: event, for: peripheral)
  }
}
