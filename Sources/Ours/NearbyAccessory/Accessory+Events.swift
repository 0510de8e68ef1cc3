import Foundation
import NearbyAccessoryProtocol
import NearbyDeviceMachine

/// A phone, from the moment it is there until it is gone.
public struct AccessoryPhone: Hashable, Comparable, Sendable, CustomStringConvertible {
  let phone: PhoneAtAccessory

  init(phone: PhoneAtAccessory) { self.phone = phone }
  package init(number: Int) { phone = PhoneAtAccessory(number: number) }

  /// Those that came later are greater.
  public static func < (left: Self, right: Self) -> Bool { left.phone < right.phone }

  /// A number that counts the phones that came.
  public var description: String { "phone \(phone.number)" }
}

/// Where a phone is, as the accessory's own chip measured it.
public struct AccessoryReading: Hashable, Sendable {
  /// Whom it is about.
  public let phone: AccessoryPhone
  /// On the device's clock.
  public let time: Duration
  /// Metres between the antennas; `nil` where it is not known.
  public let distance: Double?
  /// Standard deviation of `distance`, metres.
  public let sigma: Double?
  /// Unit vector to the phone in the accessory's frame, +x right, +y up, −z away from the antennas' face; `nil`
  /// outside their field of view, and with a chip that has one antenna.
  public let direction: SIMD3<Double>?
  /// Whether the phone may have something done: it is one that the profile's `access` names, and proved it with its
  /// keys, or the program authorized it. False with `Access.everyone` unless the program did.
  public let isAuthorized: Bool

  package init(
    phone: AccessoryPhone, time: Duration, distance: Double?, sigma: Double?, direction: SIMD3<Double>?,
    isAuthorized: Bool = false
  ) {
    self.phone = phone
    self.time = time
    self.distance = distance
    self.sigma = sigma
    self.direction = direction
    self.isAuthorized = isAuthorized
  }
}

extension Accessory {
  /// What an accessory's program hears, in order.
  public enum Event: Hashable, Sendable {
    /// The chip is up; this is what phones are told of the accessory.
    case ready(configurationData: Data)
    /// There is no chip, or one that cannot do what the accessory needs.
    case unavailable
    /// Bluetooth cannot be used, for this reason; the accessory waits until it can.
    case bluetoothUnavailable(String)
    /// A phone is there.
    case connected(AccessoryPhone)
    /// A phone is gone; its session was stopped.
    case disconnected(AccessoryPhone)
    /// Ranging with a phone began.
    case started(AccessoryPhone)
    /// A round gave a distance.
    case measured(AccessoryReading)
    /// Ranging with a phone is over.
    case stopped(AccessoryPhone, StopReason)
    /// A phone said something that the accessory did not follow.
    case refused(AccessoryPhone, Refusal)
  }

  /// Why ranging with a phone is over.
  public enum StopReason: String, Hashable, Sendable, CaseIterable {
    /// Its app said stop, or began anew.
    case byPhone
    /// The phone ended it by radio.
    case inBand
    /// Nothing came of the phone's radio for too long.
    case silence
    /// The link to the phone is gone.
    case disconnected
    /// The chip ended it, or is gone.
    case byChip
    /// `stopRanging` or `stop`.
    case byProgram
  }

  /// Why the accessory did not follow a phone.
  public enum Refusal: Hashable, Sendable {
    /// Octets that are no message, or whose payload is none; with what is wrong.
    case malformed(String)
    /// A message that accessories send.
    case notForAccessories
    /// Configure before initialise.
    case notInitialised
    /// Stop, and nothing runs.
    case notRunning
    /// Data of a later version of the protocol.
    case versionMismatch
    /// Data for a session that another phone has.
    case sessionInUse
    /// Data of a phone with the accessory's own address.
    case addressInUse
    /// A paired phone that the profile's list does not name.
    case notAuthorized
    /// More phones than the profile allows.
    case tooManyPhones
    /// More sessions than the chip has.
    case tooManySessions
    /// More messages than anybody needs.
    case tooManyMessages
    /// The chip cannot range with phones, or is gone.
    case chipUnsuitable
    /// The chip refused the session.
    case chipRefused
    /// A message of a phone that is not there.
    case unknownPhone
    /// The link takes no message of this length.
    case linkTooNarrow
  }
}

extension Accessory.Event {
  /// `nil` for what is about a phone that is gone meanwhile, except refusals of who never was there.
  init?(_ event: NearbyDeviceMachine.AccessoryEvent, known: [PhoneAtAccessory: LinkedPhone]) {
    switch event {
    case .ready(let octets): self = .ready(configurationData: Data(octets))
    case .unavailable: self = .unavailable
    case .started(let phone): self = .started(AccessoryPhone(phone: phone))
    case .stopped(let phone, let reason):
      self = .stopped(AccessoryPhone(phone: phone), Accessory.StopReason(reason))
    case .measured(let phone, let reading):
      guard let linked = known[phone] else { return nil }
      self = .measured(
        AccessoryReading(
          phone: AccessoryPhone(phone: phone), time: reading.time, distance: reading.distance,
          sigma: reading.sigma, direction: reading.direction, isAuthorized: linked.isAuthorized))
    case .refused(let phone, let refusal):
      self = .refused(AccessoryPhone(phone: phone), Accessory.Refusal(refusal))
    }
  }
}

extension Accessory.StopReason {
  init(_ stop: AccessoryStop) {
    switch stop {
    case .byPhone: self = .byPhone
    case .inBand: self = .inBand
    case .silence: self = .silence
    case .disconnected: self = .disconnected
    case .byChip: self = .byChip
    case .byProgram: self = .byProgram
    }
  }
}

extension Accessory.Refusal {
  init(_ refusal: AccessoryRefusal) {
    switch refusal {
    case .malformed(let error): self = .malformed("\(error)")
    case .notForAccessories: self = .notForAccessories
    case .notInitialised: self = .notInitialised
    case .notRunning: self = .notRunning
    case .versionMismatch: self = .versionMismatch
    case .sessionInUse: self = .sessionInUse
    case .addressInUse: self = .addressInUse
    case .tooManyPhones: self = .tooManyPhones
    case .tooManySessions: self = .tooManySessions
    case .tooManyMessages: self = .tooManyMessages
    case .chipUnsuitable: self = .chipUnsuitable
    case .chipRefused: self = .chipRefused
    case .unknownPhone: self = .unknownPhone
    }
  }
}
