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
