import NearbyAccessoryProtocol
import NearbyEstimation
import NearbyUCI

/// A phone as an accessory tells it from others, while it is there.
package struct PhoneAtAccessory: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What an accessory is to be.
package struct AccessorySettings: Hashable, Sendable {
  package var updateRate = AccessoryUpdateRate.automatic
  package var role = AccessoryRangingRole.responder
  /// Of the ultra-wideband part: 1.0, 1.1 or 2.0.
  package var version = AccessoryVersion.v1_1
  package var manufacturer: UInt32 = 0
  package var model: UInt32 = 0
  package var clockDriftPPM: UInt16 = 100
  /// Phones that may be there at once; how many range at once is also the chip's to say.
  package var phoneLimit = 8
  /// Silence of a phone after which its session is stopped.
  package var silenceLimit: Duration = .seconds(30)
  /// Messages that a phone may send at once, and time until it may send one more.
  package var messageBurst = 20
  package var messageInterval: Duration = .milliseconds(100)
  package init() {}
}

/// Why an accessory does not do what a phone says.
package enum AccessoryRefusal: Error, Hashable, Sendable {
  /// The octets are no message, or their payload is none.
  case malformed(AccessoryProtocolError)
  /// A message that accessories send, not phones.
  case notForAccessories
  case notInitialised
  /// Stop, and nothing runs.
  case notRunning
  /// The phone's data is of a later version than the accessory's.
  case versionMismatch
  /// The session id belongs to another phone's session.
  case sessionInUse
  /// The phone would have the accessory's own address.
  case addressInUse
  case tooManyPhones
  case tooManySessions
  case tooManyMessages
  /// The chip cannot range with phones, or is gone.
  case chipUnsuitable
  /// The chip refused the session.
  case chipRefused
  /// A message of a phone that is not there.
  case unknownPhone
}

/// Why an accessory's session with a phone is over.
package enum AccessoryStop: Hashable, Sendable {
  /// The phone said stop, or begins anew.
  case byPhone
  /// The phone ended it by radio.
  case inBand
  /// Nothing came of the phone for too long.
  case silence
  /// The link to the phone is gone.
  case disconnected
  /// The chip ended it, or is gone.
  case byChip
  /// The accessory's own program says so.
  case byProgram
}

/// What an accessory's program hears, in order.
package enum AccessoryEvent: Hashable, Sendable {
  /// The chip is up, and this is what phones are told.
  case ready([UInt8])
  /// There is no chip, or it cannot do what the accessory needs.
  case unavailable
  case started(PhoneAtAccessory)
  case stopped(PhoneAtAccessory, AccessoryStop)
  case measured(PhoneAtAccessory, AccessoryMeasurement)
  case refused(PhoneAtAccessory, AccessoryRefusal)
}

/// What is known of a phone after a round, on the accessory's side.
package struct AccessoryMeasurement: Hashable, Sendable {
  package var time: Duration
  /// Metres; `nil` where it is not known.
  package var distance: Double?
  /// Standard deviation of `distance`, metres.
  package var sigma: Double?
  /// Unit vector in the device's frame; `nil` where it is not known.
  package var direction: SIMD3<Double>?

  init(_ estimate: PeerEstimate, at time: Duration) {
    self.time = time
    distance = estimate.distance?.distance
    sigma = estimate.distance?.sigma
    direction = estimate.direction?.direction
  }
}

/// What happens to an accessory from outside.
package enum AccessoryInput: Hashable, Sendable {
  case connected(PhoneAtAccessory)
  case disconnected(PhoneAtAccessory)
  case message([UInt8], from: PhoneAtAccessory)
  /// The accessory's program ends a session.
  case stop(PhoneAtAccessory)
}

/// What an accessory's shell does, in order.
package enum AccessoryOutput: Hashable, Sendable {
  case send([UInt8], to: PhoneAtAccessory)
  /// What the Nearby Interaction service holds from now on.
  case serve([UInt8])
  case report(AccessoryEvent)
}

/// Who hears an accessory's output, on the device's own thread.
package protocol AccessorySink: AnyObject, Sendable {
  func received(_ output: AccessoryOutput)
}
