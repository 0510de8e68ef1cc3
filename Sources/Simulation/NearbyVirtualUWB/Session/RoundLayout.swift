import NearbyExchange

/// When each frame of a round is sent: one frame per slot, at the slot's beginning.
///
/// ```
/// slot  frame
/// 0     control message, if RANGING_ROUND_CONTROL asks for one
/// next  poll
/// next  a response from each responder
/// next  final message, in double-sided ranging
/// next  report, in deferred ranging or if RANGING_ROUND_CONTROL asks for one
/// ```
/// A frame that a round does not have takes no slot.
struct RoundLayout: Sendable {
  var slotDuration: Int64
  var responders: Int
  var hasControl: Bool
  var hasFinal: Bool
  var hasReport: Bool
  /// The durations of a ranging frame and of a frame with a payload, in nanoseconds.
  var rangingFrame: Int64
  var messageFrame: Int64

  /// The layout of an unused `OpenRound`.
  static let empty = RoundLayout()

  private init() {
    slotDuration = 0
    responders = 0
    hasControl = false
    hasFinal = false
    hasReport = false
    rangingFrame = 0
    messageFrame = 0
  }

  /// A DL-TDoA round: poll, responses in slots that the host may choose, and perhaps a final.
  init(downlink parameters: SessionParameters, lastSlot: Int) {
    slotDuration = parameters.round.slotDuration
    responders = lastSlot
    hasControl = false
    hasFinal = parameters.downlink?.hasFinal == true
    hasReport = false
    let frames = FrameDurations(parameters.phy, responders: lastSlot)
    rangingFrame = frames.ranging
    messageFrame = frames.message
  }

  init(_ parameters: SessionParameters) {
    slotDuration = parameters.round.slotDuration
    responders = parameters.round.isInitiator ? parameters.peers.count : 1
    hasControl = parameters.round.roundControl & 0x02 != 0
    hasFinal = parameters.round.method == .doubleSided
    // Deferred ranging reports its times after the exchange. Bit 0 requests the result in other modes too.
    hasReport = parameters.round.isDeferred || parameters.round.roundControl & 0x01 != 0
    let frames = FrameDurations(parameters.phy, responders: responders)
    rangingFrame = frames.ranging
    messageFrame = frames.message
  }

  var pollSlot: Int { hasControl ? 1 : 0 }
  func responseSlot(_ responder: Int) -> Int { pollSlot + 1 + responder }
  var finalSlot: Int { responseSlot(responders) }
  var reportSlot: Int { finalSlot + (hasFinal ? 1 : 0) }
  /// The number of slots that the round needs.
  var count: Int { reportSlot + (hasReport ? 1 : 0) }
  func offset(_ slot: Int) -> Int64 { Int64(slot) * slotDuration }
  /// The end of the last slot used, when the results are known, in nanoseconds after the round's start.
  var end: Int64 { offset(count) }
}

/// How long frames are on the air, in nanoseconds.
///
/// Source: IEEE 802.15.4z. Preamble symbols of 1016.03 ns (BPRF and HPRF alike); an SFD of 8 symbols; STS
/// segments of 32, 64 or 128 units of 512 chips with a gap of one unit on each side; a PHR of 19 bits with
/// a 6-bit check in 21 symbols; and a payload with 48 bits of Reed-Solomon code for every 330 bits.
struct FrameDurations: Sendable {
  private(set) var ranging: Int64
  private(set) var message: Int64

  init(_ phy: PhyParameters, responders: Int) {
    let symbols: Int64 = (phy.preambleDuration == 0 ? 32 : 64) + 8
    let header = symbols * 1016
    let units: Int64 = 32 << Int64(min(phy.stsLength, 2))
    // 512 chips at 499.2 MHz take 1025.6 ns.
    let sts = Int64(phy.stsSegments) * (units + 1) * 1026 + (phy.stsSegments > 0 ? 1026 : 0)
    let payloadBits = Int64(8 * (20 + 8 * responders))
    let coded = payloadBits + (payloadBits + 329) / 330 * 48
    // Kilobits a second, by PSDU_DATA_RATE of the FiRa UCI Generic Specification 2.0.
    let rate: Int64 = [6_810, 7_800, 27_200, 31_200][Int(min(phy.psduRate, 3))]
    let phr: Int64 = phy.phrRate == 0 ? 21 * 1026 : 21 * 128
    let payload = phr + coded * 1_000_000 / rate
    message = header + sts + payload
    // SP3 frames have no header and no payload. The others carry a short one.
    ranging = phy.rframe == 3 ? header + sts : header + sts + payload
  }
}
