import NearbyExchange
import NearbyUCI

/// An anchor that runs by itself, as one that was configured once and mounted on a wall.
package struct AnchorSetup: Equatable, Sendable {
  /// The FiRa session id that all anchors of the network share.
  package var network: UInt32
  package var address: UInt16
  package var rounds: [UCIAnchorRound]
  /// Where the anchor says it is; `nil` if it does not say.
  package var location: UCIAnchorLocation?
  package var isTimeReference: Bool
  /// Whether its stamps are in the common time base. A misconfigured anchor stays in its own.
  package var usesCommonTimeBase: Bool
  /// Size of its stamps: 64 bits, otherwise 40.
  package var hasLongStamps: Bool
  /// Whether an initiator ends the round with a final.
  package var hasFinal: Bool
  package var sendsClockOffset: Bool
  package var sendsTimeOfFlight: Bool
  package var faults: AnchorFaults
  package var radio: AnchorRadio

  package init(
    network: UInt32, address: UInt16, rounds: [UCIAnchorRound], location: UCIAnchorLocation? = nil,
    isTimeReference: Bool = false, usesCommonTimeBase: Bool = true, hasLongStamps: Bool = true,
    hasFinal: Bool = true, sendsClockOffset: Bool = true, sendsTimeOfFlight: Bool = true,
    faults: AnchorFaults = AnchorFaults(), radio: AnchorRadio = AnchorRadio()
  ) {
    self.network = network
    self.address = address
    self.rounds = rounds
    self.location = location
    self.isTimeReference = isTimeReference
    self.usesCommonTimeBase = usesCommonTimeBase
    self.hasLongStamps = hasLongStamps
    self.hasFinal = hasFinal
    self.sendsClockOffset = sendsClockOffset
    self.sendsTimeOfFlight = sendsTimeOfFlight
    self.faults = faults
    self.radio = radio
  }

  /// The parameters of its session.
  package var parameters: [UCIAppParameter] {
    [
      .macAddressMode(.short), .rangingRoundUsage(.downlinkTDoA), .multiNodeMode(.oneToMany),
      .deviceAddress(.short(address)), .scheduleMode(.timeScheduled), .deviceRole(.downlinkAnchor),
      .downlinkTDoARangingMethod(hasFinal ? 1 : 0),
      .downlinkTDoATxTimestamp((usesCommonTimeBase ? 1 : 0) | (hasLongStamps ? 2 : 0)),
      .downlinkTDoAAnchorCFO(sendsClockOffset ? 1 : 0),
      .downlinkTDoAResponderToF(sendsTimeOfFlight ? 1 : 0),
      .downlinkTDoATimeReference(isTimeReference ? 1 : 0),
      .downlinkTDoAAnchorLocation(location?.parameter ?? [0]),
    ] + radio.parameters
  }
}

extension UCIAnchorLocation {
  /// Metres in the frame of the network, clamped to what the fields hold: ±134 km, and ±8.4 km in height.
  package static func relative(metres place: SIMD3<Double>) -> UCIAnchorLocation {
    func millimetres(_ value: Double, bits: Int) -> Int32 {
      let limit = 1 << (bits - 1) - 1
      return Int32(WireRounding.nearest(value * 1000, in: -limit...limit))
    }
    return .relative(
      xMillimetres: millimetres(place.x, bits: 28), yMillimetres: millimetres(place.y, bits: 28),
      zMillimetres: millimetres(place.z, bits: 24))
  }
}

/// What all anchors and tags of a network share on the air.
package struct AnchorRadio: Hashable, Sendable {
  /// UWB channel number.
  package var channel: UInt8 = 9
  package var preambleCode: UInt8 = 10
  package var slotRSTU: UInt16 = 2400
  package var slotsPerRound: UInt8 = 10
  package var blockMilliseconds: UInt32 = 200
  package var vendorID: UInt16 = 0x0708
  package var staticIV: [UInt8] = [1, 2, 3, 4, 5, 6]

  package init() {}

  package var parameters: [UCIAppParameter] {
    [
      .channel(UCIChannel(rawValue: channel)), .preambleCodeIndex(preambleCode),
      .slotDuration(rstu: slotRSTU), .slotsPerRound(slotsPerRound),
      .rangingDuration(milliseconds: blockMilliseconds), .stsConfiguration(.fixed),
      .rframeConfiguration(.sp1), .vendorID(vendorID), .staticSTSIV(staticIV),
    ]
  }
}
