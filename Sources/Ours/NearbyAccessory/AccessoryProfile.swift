import Foundation
import NearbyAccessoryProtocol
import NearbyDeviceMachine

/// The properties of an accessory.
public struct AccessoryProfile: Sendable, Hashable {
  /// How often the accessory would like to be measured; the phone decides.
  public enum UpdateRate: Sendable, Hashable, CaseIterable {
    /// As often as the phone prefers.
    case automatic
    /// About 1.3 times a second.
    case infrequent
    /// About 5.5 times a second.
    case userInteractive
  }

  /// The side that starts each round.
  public enum Role: Sendable, Hashable, CaseIterable {
    /// The phone, so that several accessories fit on its schedule.
    case responder
    /// The accessory, so that several phones fit on its schedule.
    case initiator
  }

  /// The version of the protocol's ultra-wideband part.
  public enum Version: Sendable, Hashable, CaseIterable {
    /// Version 1.0.
    case v1_0
    /// Version 1.1, which adds clock drift. Most phones and accessories use it.
    case v1_1
    /// Version 2.0, which adds preferences for the schedule.
    case v2_0
  }

  /// How phones' apps exchange messages with the accessory.
  public enum Channel: Sendable, Hashable, CaseIterable {
    /// Nordic's UART service, as in Apple's sample.
    case nordicUART
    /// Qorvo's own service.
    case qorvo
    /// No Bluetooth: the program carries the messages itself, see `Accessory.connect`.
    case program
  }

  /// How phones measure the distance.
  public enum Technology: Sendable, Hashable, CaseIterable {
    /// Ultra-wideband, by Apple's accessory protocol.
    case ultraWideband
    /// Bluetooth Channel Sounding. The accessory reflects a phone's tones; only the phone learns the distance.
    case channelSounding
  }

  /// Which phones the accessory ranges with, and which of them are authorized.
  public enum Access: Sendable, Hashable {
    /// Every phone in range that speaks the protocol, whatever its identity. A phone is authorized only if
    /// the program calls `Accessory.authorize`.
    case everyone
    /// Phones paired with this machine over Bluetooth, on an encrypted link. All of them are authorized;
    /// messages of other phones are rejected.
    case paired
    /// Paired phones with these identifiers (`Accessory.identifier(of:)`). Other paired phones are refused
    /// with `notAuthorized` before they range.
    case listed(Set<UUID>)
  }

  /// The name that phones see while they scan.
  public var name: String
  /// Which phones may range and which of them are authorized.
  public var access = Access.everyone
  /// Whether phones that never paired with this machine may pair from the start; `nil` means only with
  /// `Access.everyone`. `Accessory.setAcceptsPairing` changes it later, for the minute in which a new phone
  /// is paired.
  ///
  /// Pairing needs no code: while this is on, any phone in range can pair, and then stays paired.
  public var acceptsPairing: Bool?
  /// How phones can measure the distance. Channel Sounding needs a simulated world or a shared one: BlueZ has no
  /// interface for it.
  public var technologies: Set<Technology> = [.ultraWideband]
  /// How often the accessory would like to be measured.
  public var updateRate = UpdateRate.automatic
  /// The side that starts each round.
  public var role = Role.responder
  /// The version of the protocol's ultra-wideband part.
  public var version = Version.v1_1
  /// How phones' apps exchange messages with the accessory.
  public var channel = Channel.nordicUART
  /// The short address on the radio, 0x0001 to 0xFFFE; `nil` lets the accessory choose.
  public var address: UInt16?
  /// The manufacturer, by a number of its own choice.
  public var manufacturer: UInt32 = 0
  /// The model, by a number of the manufacturer's choice.
  public var model: UInt32 = 0
  /// The maximum number of connected phones, 1 to 64.
  public var phoneLimit = 8
  /// Silence of a phone's radio after which its session is stopped.
  public var silenceLimit: Duration = .seconds(30)

  /// - Parameter name: The name that phones see while they scan.
  public init(name: String = "Nearby accessory") { self.name = name }

  /// Whether phones may pair from the start.
  var takesPairing: Bool { acceptsPairing ?? (access == .everyone) }

  /// Whether a phone needs an encrypted link to send messages.
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
