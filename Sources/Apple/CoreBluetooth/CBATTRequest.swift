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
  /// The central that sent the request.
  public let central: CBCentral
  /// The characteristic to read or write.
  public let characteristic: CBCharacteristic
  /// Offset of the first octet to read or write, counted from the start of the value.
  public let offset: Int

  init(
    _ id: BluetoothRequestID, isRead: Bool, _ central: CBCentral, _ characteristic: CBCharacteristic,
    offset: Int, value: Data?
  ) {
    self.id = id
    self.isRead = isRead
    self.central = central
    self.characteristic = characteristic
    self.offset = offset
    contents = Mutex(value)
  }

  /// For a write, the octets to store; for a read, the app's answer, starting at `offset`.
  open var value: Data? {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}
