import NearbySchedule
import NearbyUCI

extension SessionParameters {
  /// Whether a round lies in the block, and its frames in slots of their own.
  func fits(_ entry: UCIAnchorRound) -> Bool {
    guard UInt64(entry.index) < round.roundsPerBlock else { return false }
    guard case .initiator(_, let responders) = entry else { return true }
    let slots = responders.slotNumbers
    let last = Int(slots.max() ?? 0) + (downlink?.hasFinal == true ? 1 : 0)
    return slots.count == responders.addresses.count && Set(slots).count == slots.count && !slots.contains(0)
      && last < Int(round.slotsPerRound)
  }

  /// Why an anchor or tag cannot start; `nil` if it can.
  func downlinkRefusal(_ session: VirtualSession, minimumSlotRSTU: UInt16) -> UCIReason? {
    let store = session.parameters
    let mode = store.octet(ParameterID.addressMode, 0)
    guard mode != 1, store[ParameterID.deviceAddress]?.count == (mode == 2 ? 8 : 2) else {
      return .macAddressMode
    }
    guard round.usage == 5 else { return .rangingRoundUsage }
    guard round.isAnchor || round.isTag else { return .rangingRoundUsage }
    guard round.isOneToMany else { return .multiNodeMode }
    guard phy.stsConfiguration == 0 else { return .stsConfiguration }
    if round.isAnchor, session.anchorRounds.isEmpty { return .anchorRoundsNotConfigured }
    if round.isTag, session.tagRounds.isEmpty { return .tagRoundsNotConfigured }
    let frame = RoundLayout(downlink: self, lastSlot: 1).rangingFrame
    guard round.slotDuration >= AirTime.nanoseconds(rstu: Int64(minimumSlotRSTU)),
      round.slotDuration >= frame
    else { return .slotLength }
    return round.roundDuration <= round.blockDuration ? nil : .rangingDuration
  }
}

extension UCIAnchorRound {
  var index: UInt8 {
    switch self {
    case .responder(let round), .initiator(let round, _): round
    }
  }

  var isInitiator: Bool {
    if case .initiator = self { true } else { false }
  }
}

extension UCIAnchorResponders {
  /// The slot of each responder; the first slot after the poll is 1.
  var slotNumbers: [UInt8] {
    slots ?? (0..<addresses.count).map { UInt8(clamping: $0 + 1) }
  }
}
