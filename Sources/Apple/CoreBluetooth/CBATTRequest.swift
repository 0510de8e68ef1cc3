import Foundation
import NearbyBluetooth
import Synchronization

/// A read or write request from a central, which the app answers with
/// `CBPeripheralManager.respond(to:withResult:)`.
open class CBATTRequest: NSObject, @unchecked Sendable {
  // All stored properties are immutable, except the value behind the lock.
  let id: BluetoothRequestID
  let isRead: Bool
  private let contents: Mutex<Data?>
  private let subject: (central: CBCentral, characteristic: CBCharacteristic, offset: Int)

  init(
    _ id: BluetoothRequestID, isRead: Bool, _ central: CBCentral, _ characteristic: CBCharacteristic,
    offset: Int, value: Data?
  ) {
    self.id = id
    self.isRead = isRead
    subject = (central, characteristic, offset)
    contents = Mutex(value)
  }

  /// The central that sent the request.
  open var central: CBCentral { subject.central }
  /// The characteristic to read or write.
  open var characteristic: CBCharacteristic { subject.characteristic }
  /// Offset of the first octet to read or write, counted from the start of the value.
  open var offset: Int { subject.offset }

  /// For a write, the octets to store; for a read, the app's answer, starting at `offset`.
  open var value: Data? {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}
