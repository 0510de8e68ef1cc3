import NearbyExchange
import NearbyUCI

/// Anchors that run by themselves.
extension VirtualAir {
  /// Runs an anchor on a chip that has no other host; messages for its host are dropped from now on.
  ///
  /// - Returns: Whether the chip accepted everything. An anchor that ran before on this chip is replaced.
  @discardableResult
  package mutating func runAnchor(_ setup: AnchorSetup, on radio: RadioID, at time: Duration) -> Bool {
    pass(to: time)
    guard chips.indices.contains(radio.index), chips[radio.index].isPresent else { return false }
    chips[radio.index].isSelfHosted = true
    chips[radio.index].faults = setup.faults
    command(.deviceReset(configuration: 0), radio.index)
    command(.sessionInit(sessionID: setup.network, type: .ranging), radio.index)
    guard let token = chips[radio.index].sessions.first??.token else { return false }
    for part in UCISessionRequest.configuration(of: setup.parameters) {
      command(.setAppConfiguration(token, part), radio.index)
    }
    command(.updateDTAnchorRounds(token, setup.rounds), radio.index)
    command(.sessionStart(token), radio.index)
    return chips[radio.index].sessions.first??.state == .active
  }

  /// For how many networks of anchors the air has memory: the most that there were at once.
  package var networkPlaces: Int { downlink.count }

  private mutating func command(_ command: UCICommand, _ chip: Int) {
    var effects: [ChipEffect] = []
    chips[chip].handle(command, at: self.time, &effects)
    perform(effects, chip)
  }

  /// Changes a running anchor's faults.
  package mutating func setAnchorFaults(_ faults: AnchorFaults, of radio: RadioID) {
    if chips.indices.contains(radio.index) { chips[radio.index].faults = faults }
  }

  /// Steps between an anchor and the time reference of its network; `nil` while it does not know.
  package func hopCount(of radio: RadioID) -> UInt8? {
    guard chips.indices.contains(radio.index) else { return nil }
    for session in chips[radio.index].sessions {
      guard let reference = session?.run?.reference, let (network, anchor) = downlink.anchor(reference) else {
        continue
      }
      return downlink.networks[network].anchors[anchor].hopCount
    }
    return nil
  }
}
