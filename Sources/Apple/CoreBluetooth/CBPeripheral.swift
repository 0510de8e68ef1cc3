import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import Synchronization

/// How far a connection is.
public enum CBPeripheralState: Int, Sendable {
  /// There is none.
  case disconnected = 0
  /// It is waited for.
  case connecting = 1
  /// There is one.
  case connected = 2
  /// It is about to end.
  case disconnecting = 3
}

/// Whether a write is answered.
public enum CBCharacteristicWriteType: Int, Sendable {
  /// It is: `didWriteValueFor`.
  case withResponse = 0
  /// It is not, and may be lost where `canSendWriteWithoutResponse` is false.
  case withoutResponse = 1
}

/// Another device, as a central sees it.
///
/// Keep it: with the object goes its connection, and one that is waited for. Source: `facts/corebluetooth.md`,
/// sections 2 and 7.
open class CBPeripheral: CBPeer, @unchecked Sendable {
  // All stored properties are immutable; what changes is behind the lock of `contents`.
  let access: BluetoothAccess
  let contents: Mutex<PeripheralContents>

  init(_ peer: BluetoothPeer, access: BluetoothAccess, name: String?) {
    self.access = access
    contents = Mutex(PeripheralContents(name: name))
    super.init(peer)
  }

  deinit {
    switch contents.withLock({ $0.state }) {
    case .connecting, .connected: access.perform(.disconnect(peer))
    case .disconnected, .disconnecting: break
    }
  }

  /// Hears what comes of what is asked. Not kept alive.
  open weak var delegate: (any CBPeripheralDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// What it calls itself, if it has said so.
  open var name: String? { contents.withLock { $0.name } }
  /// How far the connection is.
  open var state: CBPeripheralState { contents.withLock { $0.state } }
  /// As far as they were discovered.
  open var services: [CBService]? { contents.withLock { $0.services } }
  /// Whether a write without response is taken now; where not, `peripheralIsReady` is called when it is.
  open var canSendWriteWithoutResponse: Bool {
    state == .connected && access.device.bluetooth.canWrite(to: peer, of: access.user)
  }
  /// Always false: there is no Apple Notification Center Service here.
  open var ancsAuthorized: Bool { false }

  /// Asks how strongly the peripheral is heard.
  open func readRSSI() { access.perform(.readRSSI(peer)) }

  // MARK: Discovery

  /// Looks for services: those named, or all.
  open func discoverServices(_ serviceUUIDs: [CBUUID]?) { find(.services(serviceUUIDs)) }

  /// Looks for services that are part of another.
  open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
    find(.included(includedServiceUUIDs, service))
  }

  /// Looks for characteristics: those named, or all.
  open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
    find(.characteristics(characteristicUUIDs, service))
  }

  /// Looks for all descriptors.
  open func discoverDescriptors(for characteristic: CBCharacteristic) { find(.descriptors(characteristic)) }

  // MARK: Values

  /// Reads; where that needs encryption, the devices pair first.
  open func readValue(for characteristic: CBCharacteristic) { access.perform(.read(peer, characteristic.id)) }

  /// Reads a descriptor.
  open func readValue(for descriptor: CBDescriptor) { access.perform(.read(peer, descriptor.id)) }

  /// Writes.
  ///
  /// - Parameters:
  ///   - data: At most `maximumWriteValueLength(for:)` octets.
  ///   - characteristic: Of this peripheral.
  ///   - type: Without response nothing is told, and what finds no room is dropped.
  open func writeValue(
    _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
  ) {
    switch type {
    case .withResponse: write(data, characteristic.id)
    case .withoutResponse:
      guard data.count <= maximumWriteValueLength(for: .withoutResponse), canSendWriteWithoutResponse else {
        return
      }
      access.perform(.write(peer, characteristic.id, [UInt8](data), withResponse: false))
    }
  }

  /// Writes a descriptor. That of who is notified is the system's: use `setNotifyValue`.
  open func writeValue(_ data: Data, for descriptor: CBDescriptor) { write(data, descriptor.id) }

  private func write(_ data: Data, _ id: AttributeID) {
    contents.withLock { $0.pendingWrites[id, default: 0] += 1 }
    access.perform(.write(peer, id, [UInt8](data), withResponse: true))
  }

  /// Octets of the longest value of one write.
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
    let state = access.device.bluetooth.peerState(peer)
    switch type {
    case .withResponse: return max(state?.maximumWrite ?? 0, Self.longestValue)
    case .withoutResponse: return max(state?.maximumWriteWithoutResponse ?? 0, Self.shortestPacket)
    }
  }

  /// Of an attribute: Bluetooth Core 5.4, volume 3, part F, 3.2.9.
  private static let longestValue = 512
  /// What every link takes, before more is agreed on.
  private static let shortestPacket = 20

  /// Has changes told, or no longer: `didUpdateNotificationStateFor`, then `didUpdateValueFor` at each.
  open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
    access.perform(.setNotify(peer, characteristic.id, enabled))
  }

  /// Fails with `operationNotSupported`.
  open func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
    access.later { [weak self] in
      guard let self else { return }
      delegate?.peripheral(self, didOpen: nil, error: CBError(.operationNotSupported))
    }
  }
}

/// What of a peripheral changes, under its lock.
struct PeripheralContents: Sendable {
  enum Discovery: Sendable {
    case services([CBUUID]?)
    case included([CBUUID]?, CBService)
    case characteristics([CBUUID]?, CBService)
    case descriptors(CBCharacteristic)
  }

  var delegate = WeakBox<any CBPeripheralDelegate>()
  var name: String?
  var state = CBPeripheralState.disconnected
  /// All that the peripheral has, while that is known.
  var table: [GATTService]?
  var services: [CBService]?
  /// What apps have been shown of it.
  var attributes: [AttributeID: CBAttribute] = [:]
  var waiting: [Discovery] = []
  /// Writes that are to be answered.
  var pendingWrites: [AttributeID: Int] = [:]
  var reconnects = false

  init(name: String?) { self.name = name }

  /// The connection is gone; what was found of the peripheral stays to look at.
  mutating func disconnect() {
    state = .disconnected
    table = nil
    waiting = []
    pendingWrites = [:]
    for case let characteristic as CBCharacteristic in attributes.values {
      characteristic.contents.withLock { $0.isNotifying = false }
    }
  }
}
