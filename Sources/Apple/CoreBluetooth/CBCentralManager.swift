import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import Synchronization

/// Finds peripherals and connects to them.
///
/// Source: `facts/corebluetooth.md`, sections 1 and 7.
open class CBCentralManager: CBManager, @unchecked Sendable {
  /// What some devices can do.
  public struct Feature: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes one of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Advertisements of Bluetooth 5; not here.
    public static let extendedScanAndConnect = Self(rawValue: 1 << 0)
  }

  struct Contents: Sendable {
    var delegate = WeakBox<any CBCentralManagerDelegate>()
    var isScanning = false
    var peripherals: [BluetoothPeer: WeakBox<CBPeripheral>] = [:]
    var watched: Watched?

    /// What `registerForConnectionEvents` named.
    struct Watched: Sendable {
      var identifiers: [UUID]?
      var services: [CBUUID]?
    }
  }

  // What changes is behind the lock.
  let contents = Mutex(Contents())

  /// Makes a manager without a delegate.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// Makes a manager.
  public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// Makes a manager of the device that is current.
  ///
  /// - Parameters:
  ///   - delegate: Not kept alive.
  ///   - queue: Where it is called; the main queue where `nil`.
  ///   - options: `CBCentralManagerOption…Key`.
  public init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    let name = options?[CBCentralManagerOptionRestoreIdentifierKey] as? String
    super.init(role: .central(restoring: name), queue: queue)
    self.delegate = delegate
    relay.attach(self)
  }

  /// Hears what the manager finds. Not kept alive.
  open weak var delegate: (any CBCentralManagerDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Whether a search goes on.
  open var isScanning: Bool { contents.withLock { $0.isScanning } }

  /// Searches, in place of an earlier search.
  ///
  /// - Parameters:
  ///   - serviceUUIDs: Peripherals that advertise one of these; everybody where `nil`, which finds nobody in the
  ///     background.
  ///   - options: `CBCentralManagerScanOption…Key`.
  open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    guard state == .poweredOn else { return }
    contents.withLock { $0.isScanning = true }
    access.perform(
      .scan(
        BluetoothScan(
          services: serviceUUIDs?.map(\.value),
          allowsDuplicates: options?.flag(CBCentralManagerScanOptionAllowDuplicatesKey) ?? false)))
  }

  /// Ends the search.
  open func stopScan() {
    contents.withLock { $0.isScanning = false }
    access.perform(.stopScan)
  }

  /// Connects as soon as the peripheral is there, for as long as that takes.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
    let reconnects = options?.flag(CBConnectPeripheralOptionEnableAutoReconnect) ?? false
    peripheral.contents.withLock {
      $0.reconnects = reconnects
      if $0.state != .connected { $0.state = .connecting }
    }
    access.perform(.connect(peripheral.peer))
  }

  /// Ends a connection, or the wait for it. Other apps' connections stay.
  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
    peripheral.contents.withLock {
      $0.reconnects = false
      if $0.state != .disconnected { $0.state = .disconnecting }
    }
    access.perform(.disconnect(peripheral.peer))
  }

  /// Peripherals that this device has known by these identifiers, in their order.
  open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    identifiers.compactMap { identifier in
      let peer = BluetoothPeer(identifier)
      return access.device.bluetooth.peerState(peer) == nil ? nil : peripheral(peer)
    }
  }

  /// Peripherals with one of these services that any app of this device is connected to. To use one, `connect`.
  open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    access.device.bluetooth.connectedPeers(with: serviceUUIDs.map(\.value)).map(peripheral)
  }

  /// Has connections of peripherals told that match: of this manager's, not those of other apps.
  open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    let watched = Contents.Watched(
      identifiers: options?[.peripheralUUIDs] as? [UUID], services: options?[.serviceUUIDs] as? [CBUUID])
    contents.withLock { $0.watched = watched }
  }

  /// Whether the device can do something.
  open class func supports(_ features: Feature) -> Bool { features.isEmpty }

  /// The object that the app has of a peer, or a new one.
  func peripheral(_ peer: BluetoothPeer) -> CBPeripheral {
    if let known = contents.withLock({ $0.peripherals[peer]?.object }) { return known }
    let made = CBPeripheral(peer, access: access, name: access.device.bluetooth.peerState(peer)?.name)
    return contents.withLock { contents in
      if let known = contents.peripherals[peer]?.object { return known }
      if contents.peripherals.count > 1000 {
        contents.peripherals = contents.peripherals.filter { $0.value.object != nil }
      }
      contents.peripherals[peer] = WeakBox(made)
      return made
    }
  }

  override func report(_ event: BluetoothEvent) { take(event) }
}
