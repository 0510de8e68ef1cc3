import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbySounding
import Synchronization

/// The state of the connection to a peripheral.
public enum CBPeripheralState: Int, Sendable {
  /// Not connected.
  case disconnected = 0
  /// Waiting for the connection.
  case connecting = 1
  /// Connected.
  case connected = 2
  /// About to disconnect.
  case disconnecting = 3
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Whether a write asks for a response.
public enum CBCharacteristicWriteType: Int, Sendable {
  /// The peripheral responds, and `didWriteValueFor` reports the result.
  case withResponse = 0
  /// The peripheral does not respond; the write is dropped while `canSendWriteWithoutResponse` is false.
  case withoutResponse = 1
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// A remote peripheral, as seen by a central.
///
/// Hold a strong reference: releasing the object ends its connection or its pending attempt. Source: Apple's
/// documentation of `CBPeripheral`.
open class CBPeripheral: CBPeer, @unchecked Sendable {
  // All stored properties are immutable; all mutable state is behind the lock of `contents`.
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

  /// Receives the peripheral's events; held weakly.
  open weak var delegate: (any CBPeripheralDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// The peripheral's name, if known.
  open var name: String? { contents.withLock { $0.name } }
  /// The state of the connection.
  open var state: CBPeripheralState { contents.withLock { $0.state } }
  /// The services discovered so far.
  open var services: [CBService]? { contents.withLock { $0.services } }
  /// Whether a write without response is accepted now. If not,
  /// `peripheralIsReady(toSendWriteWithoutResponse:)` is called once it is.
  open var canSendWriteWithoutResponse: Bool {
    state == .connected && access.device.bluetooth.canWrite(to: peer, of: access.user)
  }
  /// Always false: the Apple Notification Center Service is not supported here.
  open var ancsAuthorized: Bool { false }

  /// Reads the current RSSI and reports it to the delegate.
  open func readRSSI() { access.perform(.readRSSI(peer)) }

  // MARK: Discovery

  /// Discovers the named services, or all of them for `nil`.
  open func discoverServices(_ serviceUUIDs: [CBUUID]?) { find(.services(serviceUUIDs)) }

  /// Discovers the services that another one includes.
  open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
    find(.included(includedServiceUUIDs, service))
  }

  /// Discovers the named characteristics of a service, or all of them for `nil`.
  open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
    find(.characteristics(characteristicUUIDs, service))
  }

  /// Discovers all descriptors of a characteristic.
  open func discoverDescriptors(for characteristic: CBCharacteristic) { find(.descriptors(characteristic)) }

  // MARK: Values

  /// Reads a characteristic's value. If that requires encryption, the devices pair first.
  open func readValue(for characteristic: CBCharacteristic) { access.perform(.read(peer, characteristic.id)) }

  /// Reads a descriptor's value.
  open func readValue(for descriptor: CBDescriptor) { access.perform(.read(peer, descriptor.id)) }

  /// Writes a characteristic's value.
  ///
  /// - Parameters:
  ///   - data: At most `maximumWriteValueLength(for:)` octets.
  ///   - characteristic: A characteristic of this peripheral.
  ///   - type: A write without response reports no result and is dropped if there is no room for it.
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

  /// Writes a descriptor's value. The client characteristic configuration belongs to the system: use
  /// `setNotifyValue(_:for:)` instead.
  open func writeValue(_ data: Data, for descriptor: CBDescriptor) { write(data, descriptor.id) }

  private func write(_ data: Data, _ id: AttributeID) {
    contents.withLock { $0.pendingWrites[id, default: 0] += 1 }
    access.perform(.write(peer, id, [UInt8](data), withResponse: true))
  }

  /// The longest value that a single write can carry, in octets.
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
    let state = access.device.bluetooth.peerState(peer)
    switch type {
    case .withResponse: return max(state?.maximumWrite ?? 0, Self.longestValue)
    case .withoutResponse: return max(state?.maximumWriteWithoutResponse ?? 0, Self.shortestPacket)
    }
  }

  /// Maximum length of an attribute value, in octets: Bluetooth Core 5.4 Vol 3 Part F §3.2.9.
  private static let longestValue = 512
  /// Octets that fit a write on every link: the default ATT_MTU of 23 less the three-octet header.
  private static let shortestPacket = 20

  /// Enables or disables notifications: `didUpdateNotificationStateFor` reports the result, and
  /// `didUpdateValueFor` every change of the value.
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

/// A peripheral's mutable state, protected by its lock.
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
  /// The peripheral's complete attribute table, or `nil` if it has not been discovered.
  var table: [GATTService]?
  var services: [CBService]?
  /// The attributes for which the app has objects.
  var attributes: [AttributeID: CBAttribute] = [:]
  var waiting: [Discovery] = []
  /// Number of writes awaiting a response, by attribute.
  var pendingWrites: [AttributeID: Int] = [:]
  var reconnects = false
  /// `nil` unless a Channel Sounding session runs.
  var sounding: SoundingFilter?

  init(name: String?) { self.name = name }

  /// Marks the connection as lost. Discovered attributes remain readable.
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
