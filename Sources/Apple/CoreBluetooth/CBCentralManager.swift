import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// Scans for peripherals and connects to them.
///
/// Source: Apple's documentation of `CBCentralManager`.
open class CBCentralManager: CBManager, @unchecked Sendable {
  /// Features that only some devices support.
  public struct Feature: OptionSet, Sendable {
    /// The bit mask.
    public let rawValue: UInt
    /// Creates a set from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Extended advertising of Bluetooth 5; not supported here.
    public static let extendedScanAndConnect = Self(rawValue: 1 << 0)
    /// Distances by Channel Sounding. The bit is our own; Apple's is not published.
    public static let channelSounding = Self(rawValue: 1 << 1)
  }

  struct Contents: Sendable {
    var delegate = WeakBox<any CBCentralManagerDelegate>()
    var isScanning = false
    var peripherals: [BluetoothPeer: WeakBox<CBPeripheral>] = [:]
    var watched: Watched?

    /// The filter given to `registerForConnectionEvents(options:)`.
    struct Watched: Sendable {
      var identifiers: [UUID]?
      var services: [CBUUID]?
    }
  }

  // All mutable state is behind this lock.
  let contents = Mutex(Contents())

  /// Creates a manager without a delegate.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// Creates a manager that calls `delegate` on `queue`.
  public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// Creates a manager for the current device.
  ///
  /// - Parameters:
  ///   - delegate: Receives the manager's events; held weakly.
  ///   - queue: The queue on which the delegate is called; `nil` means the main queue.
  ///   - options: Values for `CBCentralManagerOption…Key`.
  public init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    let name = options?[CBCentralManagerOptionRestoreIdentifierKey] as? String
    super.init(_CBManagerCore(role: .central(restoring: name), queue: queue))
    self.delegate = delegate
    relay.attach(self)
  }

  /// Receives the manager's events; held weakly.
  open weak var delegate: (any CBCentralManagerDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Whether a scan is running.
  open var isScanning: Bool { contents.withLock { $0.isScanning } }

  /// Starts a scan, replacing any scan already running; has no effect unless `state` is `poweredOn`.
  ///
  /// - Parameters:
  ///   - serviceUUIDs: Report only peripherals that advertise one of these services. `nil` reports every
  ///     peripheral, but finds none while the app is in the background.
  ///   - options: Values for `CBCentralManagerScanOption…Key`.
  open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    guard state == .poweredOn else { return }
    contents.withLock { $0.isScanning = true }
    access.perform(
      .scan(
        BluetoothScan(
          services: serviceUUIDs?.map(\.value),
          allowsDuplicates: options?.flag(CBCentralManagerScanOptionAllowDuplicatesKey) ?? false)))
  }

  /// Stops the scan.
  open func stopScan() {
    contents.withLock { $0.isScanning = false }
    access.perform(.stopScan)
  }

  /// Connects as soon as the peripheral is in range; the attempt does not time out.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
    let reconnects = options?.flag(CBConnectPeripheralOptionEnableAutoReconnect) ?? false
    peripheral.contents.withLock {
      $0.reconnects = reconnects
      if $0.state != .connected { $0.state = .connecting }
    }
    access.perform(.connect(peripheral.peer))
  }

  /// Ends a connection or cancels a pending attempt. Other apps' connections to the peripheral stay open.
  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
    peripheral.contents.withLock {
      $0.reconnects = false
      if $0.state != .disconnected { $0.state = .disconnecting }
    }
    access.perform(.disconnect(peripheral.peer))
  }

  /// The peripherals this device already knows by these identifiers, in the order given; unknown ones are
  /// omitted.
  open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    identifiers.compactMap { identifier in
      let peer = BluetoothPeer(identifier)
      return access.device.bluetooth.peerState(peer) == nil ? nil : peripheral(peer)
    }
  }

  /// The peripherals with at least one of these services that any app on this device is connected to. Call
  /// `connect(_:options:)` before using one.
  open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    access.device.bluetooth.connectedPeers(with: serviceUUIDs.map(\.value)).map(peripheral)
  }

  /// Reports connections and disconnections of matching peripherals to the delegate, for this manager's own
  /// connections only.
  open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    let watched = Contents.Watched(
      identifiers: options?[.peripheralUUIDs] as? [UUID], services: options?[.serviceUUIDs] as? [CBUUID])
    contents.withLock { $0.watched = watched }
  }

  /// Whether the current device supports the features.
  ///
  /// `channelSounding` is supported in simulated worlds. As on Apple's devices the answer is right only while a manager
  /// is `poweredOn`; before that it is `false`.
  open class func supports(_ features: Feature) -> Bool {
    if features.contains(.channelSounding) {
      let device = NearbyDevice.bound
      guard device.hasPoweredManager, device.bluetooth.supportsSounding else { return false }
    }
    return features.subtracting(.channelSounding).isEmpty
  }

  /// The app's existing object for a peer, or a new one if the app holds none.
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

  override func report(_ event: BluetoothEvent) { handle(event) }
}
