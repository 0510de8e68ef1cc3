import NearbySchedule
import NearbyUCI

/// Why a completely configured session cannot start.
struct StartRefusal: Equatable, Sendable {
  var status: UCIStatus
  /// The reason given in STATUS(IDLE).
  var reason: UCIReason
}

extension SessionParameters {
  /// Why the session cannot start on a chip with this minimum slot; `nil` if it can.
  func refusal(_ session: VirtualSession, minimumSlotRSTU: UInt16) -> StartRefusal? {
    let reason =
      downlink == nil
      ? refusalReason(session.parameters, minimumSlotRSTU)
      : downlinkRefusal(session, minimumSlotRSTU: minimumSlotRSTU)
    return reason.map { StartRefusal(status: .rejected, reason: $0) }
  }

  private func refusalReason(_ store: ParameterStore, _ minimumSlotRSTU: UInt16) -> UCIReason? {
    // In a one-to-many session the controller sends the poll to all controlees.
    guard !round.isOneToMany || isController == round.isInitiator else { return .multiNodeMode }
    return addressReason(store) ?? timingReason(minimumSlotRSTU) ?? phyReason(store)
  }

  /// Checks the address mode and the numbers and values of addresses.
  private func addressReason(_ store: ParameterStore) -> UCIReason? {
    let mode = store.octet(ParameterID.addressMode, 0)
    guard mode != 1, store[ParameterID.deviceAddress]?.count == (mode == 2 ? 8 : 2) else {
      return .macAddressMode
    }
    guard !peers.isEmpty else { return .numberOfControlees }
    if isController || round.isOneToMany == false {
      guard peers.count == Int(store.octet(ParameterID.numberOfControlees, 1)) else {
        return .numberOfControlees
      }
    }
    guard isController && round.isOneToMany || peers.count == 1 else { return .numberOfControlees }
    guard Set(peers).count == peers.count, !peers.contains(round.address) else { return .destinationList }
    return nil
  }

  /// Checks that frames fit into a slot, the round's frames into its slots, and the round into a block.
  private func timingReason(_ minimumSlotRSTU: UInt16) -> UCIReason? {
    let layout = RoundLayout(self)
    guard round.slotDuration >= AirTime.nanoseconds(rstu: Int64(minimumSlotRSTU)),
      round.slotDuration >= layout.rangingFrame, round.slotDuration >= layout.messageFrame
    else { return .slotLength }
    guard layout.count <= Int(round.slotsPerRound) else { return .tooFewSlots }
    guard round.roundDuration <= round.blockDuration else { return .rangingDuration }
    return nil
  }

  /// Checks that keys are set and that the physical parameters fit the PRF mode.
  private func phyReason(_ store: ParameterStore) -> UCIReason? {
    let isBPRF = phy.prfMode == 0
    switch phy.stsConfiguration {
    case 3, 4:
      if store[ParameterID.sessionKey] == nil { return .sessionKeyNotFound }
      if phy.stsConfiguration == 4, !isController, store[ParameterID.subSessionKey] == nil {
        return .subSessionKeyNotFound
      }
    default: break
    }
    guard isBPRF == (9...12).contains(phy.preambleCode) else { return .preambleCode }
    guard isBPRF ? phy.sfd == 0 || phy.sfd == 2 : phy.sfd >= 1 else { return .sfd }
    guard !isBPRF || phy.psduRate == 0 else { return .psduRate }
    guard isBPRF || phy.phrRate == 0 else { return .phrRate }
    guard !isBPRF || phy.preambleDuration == 1 else { return .preambleDuration }
    guard !isBPRF || phy.stsLength == 1 || phy.rframe == 0 else { return .stsLength }
    guard phy.rframe == 0 ? phy.stsSegments == 0 : phy.stsSegments >= 1 else { return .stsSegments }
    guard !isBPRF || phy.stsSegments <= 1 else { return .stsSegments }
    return nil
  }
}
