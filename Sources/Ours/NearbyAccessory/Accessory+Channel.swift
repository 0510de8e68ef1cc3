import Dispatch
import Foundation
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

extension Accessory {
  /// Connects a phone over a channel that the program provides, in place of Bluetooth or beside it.
  ///
  /// - Parameters:
  ///   - isAuthorized: Whether the program has identified and authorized the phone: the `isAuthorized` of its
  ///     readings. The profile's `access` applies to Bluetooth only.
  ///   - queue: The queue on which `send` is called; `nil` means the main queue.
  ///   - send: Carries a message to the phone's app.
  /// - Returns: The accessory's end of the link. The phone stays connected until `disconnect` is called or
  ///   the link is released.
  public func connect(
    isAuthorized: Bool = false, queue: DispatchQueue? = nil, send: @escaping @Sendable (Data) -> Void
  ) -> AccessoryLink {
    let link = LinkedPhone.ProgramLink(queue: queue, body: send)
    let phone = state.withLock { $0.add(.program(link), isAuthorized: isAuthorized) }
    device.accessory.post(.accessory(.connected(phone)))
    reportLater(.connected(AccessoryPhone(phone: phone)))
    return AccessoryLink(accessory: self, phone: AccessoryPhone(phone: phone))
  }
}

/// A phone's link over a channel that the program provides.
public final class AccessoryLink: Sendable {
  private let accessory: Accessory
  /// The phone at the other end.
  public let phone: AccessoryPhone

  init(accessory: Accessory, phone: AccessoryPhone) {
    self.accessory = accessory
    self.phone = phone
  }

  deinit { disconnect() }

  /// Receives one message from the phone's app.
  public func received(_ message: Data) {
    accessory.device.accessory.post(.accessory(.message([UInt8](message), from: phone.phone)))
  }

  /// Reports that the phone is gone.
  public func disconnect() {
    guard accessory.state.withLock({ $0.phones.removeValue(forKey: phone.phone) }) != nil else { return }
    accessory.device.accessory.post(.accessory(.disconnected(phone.phone)))
    accessory.reportLater(.disconnected(phone))
  }
}
