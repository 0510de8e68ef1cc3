import NearbySchedule
import NearbyUCI

/// The commands that assign DL-TDoA rounds to anchors and tags.
extension VirtualChip {
  /// SESSION_UPDATE_DT_ANCHOR_RANGING_ROUNDS: replaces the anchor's rounds. Those that don't fit a block, or
  /// whose responders don't fit a round, are listed as failed and left out.
  mutating func updateAnchorRounds(
    _ token: UCISessionToken, _ rounds: [UCIAnchorRound], _ effects: inout [ChipEffect]
  ) {
    func answer(_ status: UCIStatus, _ failed: [UInt8] = []) {
      effects.append(.respond(.updateDTAnchorRounds(status, failed: failed)))
    }
    guard let slot = find(token), let session = sessions[slot] else { return answer(.sessionDoesNotExist) }
    guard session.state != .initialised else { return answer(.sessionNotConfigured) }
    let parameters = session.parsed()
    guard parameters.round.isAnchor else { return answer(.rejected) }
    guard rounds.count <= configuration.maximumAnchorRounds else { return answer(.tooManyActiveRounds) }
    let failed = rounds.filter { !parameters.fits($0) }.map(\.index)
    sessions[slot]?.anchorRounds = rounds.filter { parameters.fits($0) }
    answer(failed.isEmpty ? .ok : .roundNotActivated, failed)
    if session.run != nil { effects.append(.changedRounds(slot: slot)) }
  }

  /// SESSION_SET_INITIATOR_DT_ANCHOR_RR_RDM_LIST: replaces the responders of rounds in which the anchor is the
  /// initiator.
  mutating func setInitiatorRounds(
    _ token: UCISessionToken, _ list: [UCIAnchorRoundResponders], _ effects: inout [ChipEffect]
  ) {
    func answer(_ status: UCIStatus, _ failed: [UInt8] = []) {
      effects.append(.respond(.setInitiatorAnchorRounds(status, failed: failed)))
    }
    guard let slot = find(token), let session = sessions[slot] else { return answer(.sessionDoesNotExist) }
    let parameters = session.parsed()
    guard parameters.round.isAnchor else { return answer(.rejected) }
    var failed: [UInt8] = []
    for entry in list {
      let new = UCIAnchorRound.initiator(round: entry.round, entry.responders)
      let place = session.anchorRounds.firstIndex { $0.index == entry.round && $0.isInitiator }
      if let place, parameters.fits(new) {
        sessions[slot]?.anchorRounds[place] = new
      } else {
        failed.append(entry.round)
      }
    }
    answer(failed.isEmpty ? .ok : .roundNotActivated, failed)
    if session.run != nil { effects.append(.changedRounds(slot: slot)) }
  }

  /// SESSION_UPDATE_DT_TAG_RANGING_ROUNDS: replaces the rounds to which a tag listens.
  mutating func updateTagRounds(
    _ token: UCISessionToken, _ rounds: [UInt8], _ effects: inout [ChipEffect]
  ) {
    func answer(_ status: UCIStatus, _ failed: [UInt8] = []) {
      effects.append(.respond(.updateDTTagRounds(status, failed: failed)))
    }
    guard let slot = find(token), let session = sessions[slot] else { return answer(.sessionDoesNotExist) }
    guard session.state != .initialised else { return answer(.sessionNotConfigured) }
    let parameters = session.parsed().round
    guard parameters.isTag else { return answer(.rejected) }
    guard rounds.count <= configuration.maximumTagRounds else { return answer(.tooManyActiveRounds) }
    let failed = rounds.filter { UInt64($0) >= parameters.roundsPerBlock }
    sessions[slot]?.tagRounds = rounds.filter { !failed.contains($0) }
    answer(failed.isEmpty ? .ok : .roundNotActivated, failed)
    if session.run != nil { effects.append(.changedRounds(slot: slot)) }
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
