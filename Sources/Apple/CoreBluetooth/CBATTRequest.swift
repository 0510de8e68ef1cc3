import Foundation
import NearbyBluetooth
import Synchronization

/// A read or write that the app has to answer.
open class CBATTRequest: NSObject, @unchecked Sendable {
  // Immutable but for what is behind the lock.
  let id: BluetoothRequestID
  let isRead: Bool
  private let contents: Mutex<Data?>
  /// Who asks.
  public let central: CBCentral
  /// For what.
  public let characteristic: CBCharacteristic
  /// Octets of the value before those that are meant.
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

  /// What is written; of a read what the app answers, from the offset on.
  open var value: Data? {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}
