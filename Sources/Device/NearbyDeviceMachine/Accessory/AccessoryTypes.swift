import NearbyAccessoryProtocol
import NearbyEstimation
import NearbyUCI

/// A phone at an accessory, while it is connected.
package struct PhoneAtAccessory: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Properties of an accessory.
package struct AccessorySettings: Hashable, Sendable {
  package var updateRate = AccessoryUpdateRate.automatic
  package var role = AccessoryRangingRole.responder
  /// Version of the ultra-wideband part: 1.0, 1.1 or 2.0.
  package var version = AccessoryVersion.v1_1
  package var manufacturer: UInt32 = 0
  package var model: UInt32 = 0
  package var clockDriftPPM: UInt16 = 100
  /// Phones that may be connected at once; the chip may limit further how many range at once.
  package var phoneLimit = 8
  /// Silence of a phone after which its session is stopped.
  package var silenceLimit: Duration = .seconds(30)
  /// Messages that a phone may send at once, and time until it may send one more.
  package var messageBurst = 20
  package var messageInterval: Duration = .milliseconds(100)
  package init() {}
}

/// Why an accessory refuses a phone's message.
package enum AccessoryRefusal: Error, Hashable, Sendable {
  /// The octets are no message, or the payload is invalid.
  case malformed(AccessoryProtocolError)
  /// A message that accessories send, not phones.
  case notForAccessories
  case notInitialised
  /// The phone sent `stop` while no session runs.
  case notRunning
  /// The phone's data is of a later version than the accessory's.
  case versionMismatch
  /// The session id belongs to another phone's session.
  case sessionInUse
  /// The phone's data gives it the accessory's own address.
  case addressInUse
  case tooManyPhones
  case tooManySessions
  case tooManyMessages
  /// The chip cannot range with phones, or is gone.
  case chipUnsuitable
  /// The chip refused the session.
  case chipRefused
  /// The phone is not connected.
  case unknownPhone
}

/// Why an accessory's session with a phone ended.
package enum AccessoryStop: Hashable, Sendable {
  /// The phone sent `stop`, or started over.
  case byPhone
  /// The phone ended it by radio.
  case inBand
  /// The phone was silent for too long.
  case silence
  /// The link to the phone is gone.
  case disconnected
  /// The chip ended it, or is gone.
  case byChip
  /// The accessory's own program ended it.
  case byProgram
}

/// What an accessory's program is notified of, in order.
package enum AccessoryEvent: Hashable, Sendable {
  /// The chip is up; phones get this configuration data.
  case ready([UInt8])
  /// No chip, or one that lacks a required capability.
  case unavailable
  case started(PhoneAtAccessory)
  case stopped(PhoneAtAccessory, AccessoryStop)
  case measured(PhoneAtAccessory, AccessoryMeasurement)
  case refused(PhoneAtAccessory, AccessoryRefusal)
}

/// What an accessory knows of a phone after a round.
package struct AccessoryMeasurement: Hashable, Sendable {
  package var time: Duration
  /// Metres; `nil` if unknown.
  package var distance: Double?
  /// Standard deviation of `distance`, metres.
  package var sigma: Double?
  /// Unit vector in the device's frame; `nil` if unknown.
  package var direction: SIMD3<Double>?

  init(_ estimate: PeerEstimate, at time: Duration) {
    self.time = time
    distance = estimate.distance?.distance
    sigma = estimate.distance?.sigma
    direction = estimate.direction?.direction
  }
}

/// An event from outside for an accessory.
package enum AccessoryInput: Hashable, Sendable {
  case connected(PhoneAtAccessory)
  case disconnected(PhoneAtAccessory)
  case message([UInt8], from: PhoneAtAccessory)
  /// The accessory's program ends a session.
  case stop(PhoneAtAccessory)
}

/// What an accessory's shell must do, in order.
package enum AccessoryOutput: Hashable, Sendable {
  case send([UInt8], to: PhoneAtAccessory)
  /// Have the Nearby Interaction service hold these octets.
  case serve([UInt8])
  case report(AccessoryEvent)
}

/// Receives an accessory's output, on the device's own thread.
package protocol AccessorySink: AnyObject, Sendable {
  func received(_ output: AccessoryOutput)
}
