import NearbyOctets
import NearbyUCI

/// SESSION_UPDATE_CONTROLLER_MULTICAST_LIST: changes to the list of controlees.
extension VirtualChip {
  /// Changes the controlee list of a configured one-to-many session with short addresses.
  ///
  /// Each entry is applied or rejected separately. The response and the notification then list the results
  /// in the dialect's layout.
  mutating func updateMulticastList(
    _ token: UCISessionToken, _ action: UCIMulticastAction, _ entries: [UCIControlee],
    _ effects: inout [ChipEffect]
  ) {
    guard let slot = find(token), let session = sessions[slot] else {
      return refuseList(.sessionDoesNotExist, &effects)
    }
    guard session.state != .initialised else { return refuseList(.sessionNotConfigured, &effects) }
    let parameters = session.parsed()
    guard parameters.isController, parameters.round.isOneToMany, !parameters.round.usesExtendedAddresses
    else {
      return refuseList(.rejected, &effects)
    }
    if case .unknown = action { return refuseList(.invalidParameter, &effects) }
    let takesKeys = parameters.phy.stsConfiguration == 4
    let statuses = entries.map { entry in
      UCIControleeStatus(
        address: entry.address, subSessionID: entry.subSessionID,
        status: update(slot, action, entry, takesKeys: takesKeys))
    }
    storeControlees(slot)
    finishUpdate(slot, before: session, statuses, &effects)
  }

  private func refuseList(_ status: UCIStatus, _ effects: inout [ChipEffect]) {
    effects.append(.respond(.updateMulticastList(status, [])))
  }

  /// Applies one entry of an update and returns its result.
  private mutating func update(
    _ slot: Int, _ action: UCIMulticastAction, _ entry: UCIControlee, takesKeys: Bool
  ) -> UCIMulticastStatus {
    let controlees = sessions[slot]?.controlees ?? []
    let place = controlees.firstIndex { $0.address == UInt64(entry.address) }
    switch action {
    case .delete:
      guard let place else { return .addressNotFound }
      sessions[slot]?.controlees.remove(at: place)
      return .ok
    case .add, .addWithShortKey, .addWithLongKey:
      guard entry.key.isEmpty || takesKeys else { return .keyNotApplicable }
      guard place == nil else { return .addressAlreadyPresent }
      guard controlees.count < configuration.maximumControlees else { return .listFull }
      sessions[slot]?.controlees.append(
        Controlee(address: UInt64(entry.address), subSessionID: entry.subSessionID, key: entry.key))
      return .ok
    case .unknown: return .keyFetchFailed
    }
  }

  /// Stores the current list for GET_APP_CONFIG.
  private mutating func storeControlees(_ slot: Int) {
    guard let controlees = sessions[slot]?.controlees else { return }
    let octets = controlees.flatMap { UInt16(truncatingIfNeeded: $0.address).littleEndianOctets }
    sessions[slot]?.parameters.set(ParameterID.destinationAddresses, octets)
    sessions[slot]?.parameters.set(ParameterID.numberOfControlees, [UInt8(clamping: controlees.count)])
  }

  /// Reports the results of an update. A running session continues with the new list, or becomes IDLE if
  /// the list is empty.
  private mutating func finishUpdate(
    _ slot: Int, before: VirtualSession, _ statuses: [UCIControleeStatus], _ effects: inout [ChipEffect]
  ) {
    guard let session = sessions[slot] else { return }
    let isFirst = dialect.multicastList == .v1
    let failed = statuses.first { $0.status != .ok }
    let status = failed.map { isFirst ? $0.status.uciStatus : .failed } ?? .ok
    effects.append(.respond(.updateMulticastList(status, isFirst ? [] : statuses.withoutSubSessions)))
    let removed = before.controlees.filter { old in
      !session.controlees.contains { $0.address == old.address }
    }
    if session.controlees.isEmpty, session.run != nil {
      leaveActive(slot, reason: .numberOfControlees, &effects)
    } else if let run = session.run {
      changed(slot, run, MatchKey.keys(run.parameters, removed), &effects)
    }
    effects.append(
      .notify(
        .multicastList(
          session.token, remaining: isFirst ? UInt8(clamping: session.controlees.count) : nil,
          isFirst ? statuses : statuses.withoutSubSessions)))
  }
}

extension [UCIControleeStatus] {
  /// The list in the layout of 2.0, which contains only addresses and statuses.
  fileprivate var withoutSubSessions: [UCIControleeStatus] {
    map { UCIControleeStatus(address: $0.address, status: $0.status) }
  }
}

extension UCIMulticastStatus {
  /// The status for the response of 1.x, which has one status for the whole list.
  fileprivate var uciStatus: UCIStatus {
    switch self {
    case .ok: .ok
    case .listFull: .multicastListFull
    case .addressNotFound: .addressNotFound
    case .addressAlreadyPresent: .addressAlreadyPresent
    default: .failed
    }
  }
}
