import Foundation
import NearbyAccessoryProtocol
import NearbyDeviceMachine

/// What kind of accessory it is.
public struct AccessoryProfile: Sendable, Hashable {
  /// How often the accessory wishes to be measured; the phone decides.
  public enum UpdateRate: Sendable, Hashable, CaseIterable {
    /// As the phone likes.
    case automatic
    /// About 1.3 times a second.
    case infrequent
    /// About 5.5 times a second.
    case userInteractive
  }

  /// Who begins each round.
  public enum Role: Sendable, Hashable, CaseIterable {
    /// The phone, so that several accessories fit on its schedule.
    case responder
    /// The accessory, so that several phones fit on its schedule.
    case initiator
  }

  /// The version of the ultra-wideband part of the protocol.
  public enum Version: Sendable, Hashable, CaseIterable {
    /// The first.
    case v1_0
    /// With clock drift: what most phones and accessories speak.
    case v1_1
    /// With wishes for the schedule.
    case v2_0
  }

  /// How phones' apps talk to the accessory.
  public enum Channel: Sendable, Hashable, CaseIterable {
    /// Nordic's UART service, as Apple's sample has it.
    case nordicUART
    /// Qorvo's own service.
    case qorvo
    /// No Bluetooth: the program carries the messages itself, see `Accessory.connect`.
    case program
  }

  /// Which phones the accessory ranges with, and which of their readings say `isAuthorized`.
  public enum Access: Sendable, Hashable {
    /// Every phone in range that speaks the protocol, without asking who it is. None of them is authorized unless
    /// the program says so (`Accessory.authorize`).
    case everyone
    /// Phones that are paired with this machine over Bluetooth, on an encrypted link: all of them are authorized.
    /// Others cannot say anything to the accessory.
    case paired
    /// Of the paired phones, those with these identifiers (`Accessory.identifier(of:)`); the others are refused
    /// with `notAuthorized` before they range.
    case listed(Set<UUID>)
  }

  /// What phones see while they scan.
  public var name: String
  /// Who may range, and who may open the door.
  public var access = Access.everyone
  /// Whether phones that never paired with this machine may pair from the start; `nil`: with `Access.everyone` only.
  /// `Accessory.setAcceptsPairing` changes it later, for the minute in which a new phone is to be paired.
  ///
  /// Phones pair without a code: while this is on, any phone in range may, and is then a paired one for good.
  public var acceptsPairing: Bool?
  /// As above.
  public var updateRate = UpdateRate.automatic
  /// As above.
  public var role = Role.responder
  /// As above.
  public var version = Version.v1_1
  /// As above.
  public var channel = Channel.nordicUART
  /// The short address on the radio, 0x0001 to 0xFFFE; `nil` lets the accessory choose.
  public var address: UInt16?
  /// Who made it and what it is, by the maker's own numbers.
  public var manufacturer: UInt32 = 0
  /// As above.
  public var model: UInt32 = 0
  /// Phones that may be there at once, 1 to 64.
  public var phoneLimit = 8
  /// Silence of a phone's radio after which its session is stopped.
  public var silenceLimit: Duration = .seconds(30)

  /// - Parameter name: What phones see while they scan.
  public init(name: String = "Nearby accessory") { self.name = name }

  /// Whether phones may pair at the start.
  var takesPairing: Bool { acceptsPairing ?? (access == .everyone) }

  /// Whether a phone needs an encrypted link to say anything.
  var needsPairing: Bool { access != .everyone }

  var settings: AccessorySettings {
    var settings = AccessorySettings()
    settings.updateRate =
      switch updateRate {
      case .automatic: .automatic
      case .infrequent: .infrequent
      case .userInteractive: .userInteractive
      }
    settings.role = role == .responder ? .responder : .initiator
    settings.version =
      switch version {
      case .v1_0: .v1_0
      case .v1_1: .v1_1
      case .v2_0: .v2_0
      }
    settings.manufacturer = manufacturer
    settings.model = model
    settings.phoneLimit = min(max(phoneLimit, 1), 64)
    settings.silenceLimit = silenceLimit
    return settings
  }
}
