import Foundation
import NearbyAccessoryProtocol
import NearbyDeviceMachine

/// Identifies a phone from its connection until it disconnects.
public struct AccessoryPhone: Hashable, Comparable, Sendable, CustomStringConvertible {
  let phone: PhoneAtAccessory

  init(phone: PhoneAtAccessory) { self.phone = phone }
  package init(number: Int) { phone = PhoneAtAccessory(number: number) }

  /// Phones that connected later are greater.
  public static func < (left: Self, right: Self) -> Bool { left.phone < right.phone }

  /// "phone" with its number, counted in the order of connections.
  public var description: String { "phone \(phone.number)" }
}

/// A phone's position, as measured by the accessory's own chip.
public struct AccessoryReading: Hashable, Sendable {
  /// The phone that was measured.
  public let phone: AccessoryPhone
  /// The time of the measurement on the device's clock.
  public let time: Duration
  /// Metres between the antennas; `nil` if unknown.
  public let distance: Double?
  /// Standard deviation of `distance` in metres.
  public let sigma: Double?
  /// Unit vector to the phone in the accessory's frame: +x right, +y up, −z away from the antennas' face;
  /// `nil` outside their field of view, and with a chip that has one antenna.
  public let direction: SIMD3<Double>?
  /// Whether the phone is authorized: the profile's `access` covers it and it proved its identity with its
  /// pairing keys, or the program authorized it. With `Access.everyone`, only the program can authorize a
  /// phone.
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
  /// The events of an accessory, in order.
  public enum Event: Hashable, Sendable {
    /// The chip is ready; the data is the configuration that phones receive.
    case ready(configurationData: Data)
    /// There is no chip, or it lacks a required capability.
    case unavailable
    /// Bluetooth is unavailable for the given reason; the accessory waits until it is available.
    case bluetoothUnavailable(String)
    /// A phone connected.
    case connected(AccessoryPhone)
    /// A phone disconnected; its session was stopped.
    case disconnected(AccessoryPhone)
    /// Ranging with a phone started.
    case started(AccessoryPhone)
    /// A round measured a phone.
    case measured(AccessoryReading)
    /// Ranging with a phone stopped.
    case stopped(AccessoryPhone, StopReason)
    /// A phone's request was refused.
    case refused(AccessoryPhone, Refusal)
  }

  /// Why ranging with a phone stopped.
  public enum StopReason: String, Hashable, Sendable, CaseIterable {
    /// The phone's app stopped it, or started again.
    case byPhone
    /// The phone ended the session by radio.
    case inBand
    /// The phone's radio was silent for too long.
    case silence
    /// The link to the phone was lost.
    case disconnected
    /// The chip ended the session, or is gone.
    case byChip
    /// The program called `stopRanging` or `stop`.
    case byProgram
  }

  /// Why a phone's request was refused.
  public enum Refusal: Hashable, Sendable {
    /// The octets are not a message or its payload is invalid; with the reason.
    case malformed(String)
    /// A message that only accessories send.
    case notForAccessories
    /// A configure message before an initialize message.
    case notInitialised
    /// A stop message while nothing is running.
    case notRunning
    /// Configuration data of a later version of the protocol.
    case versionMismatch
    /// Configuration data for a session that belongs to another phone.
    case sessionInUse
    /// Configuration data of a phone with the accessory's own address.
    case addressInUse
    /// The phone is paired but not in the profile's list.
    case notAuthorized
    /// More phones than the profile allows.
    case tooManyPhones
    /// More sessions than the chip supports.
    case tooManySessions
    /// More messages in a short time than the protocol ever needs.
    case tooManyMessages
    /// The chip cannot range with phones, or is gone.
    case chipUnsuitable
    /// The chip rejected the session.
    case chipRefused
    /// A message from a phone that is not connected.
    case unknownPhone
    /// The message is longer than one notification on this link.
    case linkTooNarrow
  }
}

extension Accessory.Event {
  /// Returns `nil` for a reading of a phone that has disconnected.
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
