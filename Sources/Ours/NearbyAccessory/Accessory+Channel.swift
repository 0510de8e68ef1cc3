import Dispatch
import Foundation
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

extension Accessory {
  /// Lets a phone in over a channel of the program's own, in place of Bluetooth or beside it: whatever carries
  /// the app's messages.
  ///
  /// - Parameters:
  ///   - isAuthorized: Whether the program knows who this is and lets it have things done: `isAuthorized` of its
  ///     readings. The profile's `access` is about Bluetooth only.
  ///   - queue: Where `send` is called; the main queue when `nil`.
  ///   - send: Carries a message to the phone's app.
  /// - Returns: The phone's end here. It is connected until `disconnect`, or until it is let go.
  public func connect(
    isAuthorized: Bool = false, queue: DispatchQueue? = nil, send: @escaping @Sendable (Data) -> Void
  ) -> AccessoryLink {
    let link = LinkedPhone.ProgramLink(queue: queue, body: send)
    let phone = state.withLock { $0.add(.program(link), isAuthorized: isAuthorized) }
    device.accessory.post(.accessory(.connected(phone)))
    tellLater(.connected(AccessoryPhone(phone: phone)))
    return AccessoryLink(accessory: self, phone: AccessoryPhone(phone: phone))
  }
}

/// A phone's link that the program carries itself.
public final class AccessoryLink: Sendable {
  private let accessory: Accessory
  /// Who it is.
  public let phone: AccessoryPhone

  init(accessory: Accessory, phone: AccessoryPhone) {
    self.accessory = accessory
    self.phone = phone
  }

  deinit { disconnect() }

  /// Takes one message of the phone's app.
  public func received(_ message: Data) {
    accessory.device.accessory.post(.accessory(.message([UInt8](message), from: phone.phone)))
  }

  /// The phone is gone.
  public func disconnect() {
    guard accessory.state.withLock({ $0.phones.removeValue(forKey: phone.phone) }) != nil else { return }
    accessory.device.accessory.post(.accessory(.disconnected(phone.phone)))
    accessory.tellLater(.disconnected(phone))
  }
}
