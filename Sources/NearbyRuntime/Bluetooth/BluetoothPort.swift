import Bluetooth

/// One who uses a device's Bluetooth: a central or a peripheral manager, a beacon scan, an accessory.
package struct BluetoothUser: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a user of Bluetooth is there for.
package enum BluetoothRole: Hashable, Sendable {
  /// Scans, and connects to peripherals.
  case central(restoring: String?)
  /// Advertises, and serves attributes.
  case peripheral(restoring: String?)
}

/// Another device, as this one knows it: random, the same for as long as the other is known here, and no
/// address. What `CBPeer.identifier` shows.
package struct BluetoothPeer: Hashable, Comparable, Sendable {
  /// The UUID's octets in the order they are written, as two halves.
  package let high: UInt64
  package let low: UInt64
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// Whether Bluetooth can be used. Raw values are `CBManagerState`'s.
package enum BluetoothState: Int, Sendable {
  case unknown = 0
  case resetting, unsupported, unauthorized, poweredOff, poweredOn
}

/// What is looked for. A second scan of one user replaces the first.
package struct BluetoothScan: Hashable, Sendable {
  /// Those that advertise one of these; `nil` is everybody.
  package var services: [BluetoothUUID]?
  /// Every advertisement is told, not the first of each advertiser only.
  package var allowsDuplicates: Bool
  package init(services: [BluetoothUUID]?, allowsDuplicates: Bool) {
    self.services = services
    self.allowsDuplicates = allowsDuplicates
  }
}

/// What is sent to whoever listens.
package struct BluetoothAdvertising: Hashable, Sendable {
  package var advertisement: Advertisement
  /// Between two advertisements; `nil` leaves it to the radio.
  package var interval: Duration?
  package init(_ advertisement: Advertisement, interval: Duration? = nil) {
    self.advertisement = advertisement
    self.interval = interval
  }
}

/// An advertisement that came in.
package struct BluetoothSighting: Hashable, Sendable {
  package var peer: BluetoothPeer
  package var advertisement: Advertisement
  /// dBm; never a value that means there is none.
  package var rssi: Int
  /// When it came, on the device's clock.
  package var time: Duration
  package init(peer: BluetoothPeer, advertisement: Advertisement, rssi: Int, time: Duration) {
    self.peer = peer
    self.advertisement = advertisement
    self.rssi = rssi
    self.time = time
  }
}

/// A read or write that a server's program has to answer.
package struct BluetoothRequestID: Hashable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
}

/// One of the writes that came together.
package struct BluetoothWrite: Hashable, Sendable {
  package var attribute: AttributeID
  package var offset: Int
  package var value: [UInt8]
  package init(attribute: AttributeID, offset: Int, value: [UInt8]) {
    self.attribute = attribute
    self.offset = offset
    self.value = value
  }
}

/// What an app asks of Bluetooth; in force when the call returns. What cannot be done is told by an event, never
/// by silence.
package enum BluetoothCommand: Sendable {
  // MARK: Centrals
  case scan(BluetoothScan)
  case stopScan
  /// Waits for as long as it takes.
  case connect(BluetoothPeer)
  case disconnect(BluetoothPeer)
  /// Finds the whole table of a connected peer: `discovered`.
  case discover(BluetoothPeer)
  /// Of a characteristic or descriptor; where that needs encryption, the devices pair first.
  case read(BluetoothPeer, AttributeID)
  case write(BluetoothPeer, AttributeID, [UInt8], withResponse: Bool)
  case setNotify(BluetoothPeer, AttributeID, Bool)
  case readRSSI(BluetoothPeer)

  // MARK: Peripherals
  /// A service of the app's own. Its attributes' ids are the app's, unique among its user's.
  case add(GATTService)
  case remove(AttributeID)
  case removeAll
  case advertise(BluetoothAdvertising)
  case stopAdvertising
  /// To a read with the value from the asked offset on; to writes with nothing.
  case respond(BluetoothRequestID, Result<[UInt8], ATTError>)
}

/// Why something with a peer failed. `CBError` has a code for each.
package enum BluetoothFailure: Error, Hashable, Sendable {
  case notConnected
  case connectionTimeout
  case peripheralDisconnected
  case connectionFailed
  case connectionLimitReached
  case unknownPeer
  case operationCancelled
  case pairingFailed
  case encryptionTimedOut
  case notSupported
  case alreadyAdvertising
  case invalidParameters
  case att(ATTError)
}

/// What Bluetooth tells its users, in order.
package enum BluetoothEvent: Sendable {
  /// The first of all events but `restored`, and again at each change.
  case state(BluetoothState)
  /// To a user with a name under which an earlier process had one: what of that one still stands.
  case restored(BluetoothRestoration)

  // MARK: Centrals
  case sighted(BluetoothSighting)
  case connected(BluetoothPeer)
  case notConnected(BluetoothPeer, BluetoothFailure)
  /// `nil` after `disconnect`.
  case disconnected(BluetoothPeer, BluetoothFailure?)
  case discovered(BluetoothPeer, Result<[GATTService], BluetoothFailure>)
  /// In answer to `read`.
  case read(BluetoothPeer, AttributeID, Result<[UInt8], BluetoothFailure>)
  /// A notification or indication.
  case notified(BluetoothPeer, AttributeID, [UInt8])
  case wrote(BluetoothPeer, AttributeID, BluetoothFailure?)
  case notifying(BluetoothPeer, AttributeID, Bool, BluetoothFailure?)
  case rssi(BluetoothPeer, Result<Int, BluetoothFailure>)
  /// Writes without response are taken again.
  case readyToWrite(BluetoothPeer)
  /// These services of the peer changed or went; what was found of them is void.
  case servicesChanged(BluetoothPeer, [AttributeID])
  case nameChanged(BluetoothPeer, String?)

  // MARK: Peripherals
  case added(AttributeID, BluetoothFailure?)
  case advertising(BluetoothFailure?)
  case subscribed(BluetoothPeer, AttributeID, maximumUpdate: Int)
  case unsubscribed(BluetoothPeer, AttributeID)
  case readRequest(BluetoothRequestID, BluetoothPeer, AttributeID, offset: Int)
  /// All or none of them are answered for, by one response. Writes without response come so too; the response
  /// to those goes nowhere.
  case writeRequest(BluetoothRequestID, BluetoothPeer, [BluetoothWrite])
  case readyToUpdate
  /// A central that had subscribed or asked is gone.
  case centralGone(BluetoothPeer)
}

/// What stands of an earlier process's user.
package struct BluetoothRestoration: Sendable {
  package var connected: [BluetoothPeer] = []
  package var connecting: [BluetoothPeer] = []
  package var scan: BluetoothScan?
  package var services: [GATTService] = []
  package var advertising: BluetoothAdvertising?
  package init() {}
}

/// What is known of a peer.
package struct BluetoothPeerState: Hashable, Sendable {
  package var name: String?
  package var isConnected: Bool
  /// Whether this device keeps keys of the peer.
  package var isPaired: Bool
  /// The longest value of one write, octets; 0 while not connected.
  package var maximumWrite: Int
  package var maximumWriteWithoutResponse: Int
  package init(
    name: String?, isConnected: Bool, isPaired: Bool, maximumWrite: Int = 0,
    maximumWriteWithoutResponse: Int = 0
  ) {
    self.name = name
    self.isConnected = isConnected
    self.isPaired = isPaired
    self.maximumWrite = maximumWrite
    self.maximumWriteWithoutResponse = maximumWriteWithoutResponse
  }
}

/// Who hears a user's events, on the device's own thread.
package protocol BluetoothSink: AnyObject, Sendable {
  func received(_ event: BluetoothEvent)
}

/// The Bluetooth side of devices, as drivers give it.
package protocol BluetoothDriver: AnyObject, Sendable {
  /// The sink is kept until the user is released. Its first event comes later, never inside the call.
  func makeBluetoothUser(_ sink: any BluetoothSink, role: BluetoothRole, device: Int) -> BluetoothUser
  /// The user is gone: its scans, advertisements, services and connections end, and its sink hears nothing more.
  func releaseBluetoothUser(_ user: BluetoothUser, device: Int)
  /// Follows at once; what it causes is told later, never inside the call.
  func perform(_ command: BluetoothCommand, of user: BluetoothUser, device: Int)
  /// Notifies centrals that subscribed, all of them where `centrals` is `nil`.
  ///
  /// - Returns: Whether it was taken; where not, `readyToUpdate` will come.
  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    device: Int
  ) -> Bool
  /// Whether a write without response is taken now; where not, `readyToWrite` will come.
  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser, device: Int) -> Bool
  func bluetoothState(device: Int) -> BluetoothState
  /// `nil` for a peer that was never heard of here.
  func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState?
  /// Connected by any app of this device, with one of the services, in order of their identifiers.
  func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer]
}

extension BluetoothDriver {
  // A device without Bluetooth.
  package func makeBluetoothUser(
    _ sink: any BluetoothSink, role: BluetoothRole, device: Int
  ) -> BluetoothUser {
    BluetoothUser(number: 0)
  }
  package func releaseBluetoothUser(_ user: BluetoothUser, device: Int) {}
  package func perform(_ command: BluetoothCommand, of user: BluetoothUser, device: Int) {}
  package func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    device: Int
  ) -> Bool { false }
  package func canWrite(to peer: BluetoothPeer, of user: BluetoothUser, device: Int) -> Bool { false }
  package func bluetoothState(device: Int) -> BluetoothState { .unsupported }
  package func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState? { nil }
  package func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer] { [] }
}
