import NearbySchedule
import NearbyUCI

/// Rounds, from the first frame to the notifications of both sides.
extension VirtualAir {
  /// Begins an initiator's round: finds its responders, registers its frames, and schedules its end.
  mutating func beginRound(_ reference: SessionReference, _ medium: inout some RadioMedium) {
    guard isRunning(reference) else { return }
    let place = Int(reference.place)
    if runs[place].round.isSuspended {
      announceSuspension(runs[place], &medium)
      scheduleNext(reference)
      return
    }
    let index = takeRound()
    rounds[Int(index)].open(reference, runs[place].round, layout: runs[place].layout, at: time)
    if let peer = runs[place].onlyPeer {
      rounds[Int(index)].addresses.append(peer)
    } else {
      rounds[Int(index)].addresses.append(contentsOf: runs[place].parameters.peers)
    }
    if let known = runs[place].listener, known.changes == matches.changes {
      let responder = known.session == .none ? .none : woken(known.session, by: reference, &medium)
      rounds[Int(index)].responders.append(responder)
    } else {
      chooseListeners(Int(index), runs[place], &medium)
    }
    rounds[Int(index)].layOutFrames()
    register(index, &medium)
    let end = AirTime.sum(time, rounds[Int(index)].layout.end)
    events.push(at: end, .finishRound, index: index, session: reference)
  }

  /// Finds the responder for each of an initiator's keys.
  private mutating func chooseListeners(_ round: Int, _ run: SessionRun, _ medium: inout some RadioMedium) {
    for key in run.keys {
      let found = matches.listener(key)
      // Remember a single listener until a session begins or ends, so that later rounds need no look-up.
      if run.keys.count == 1, found?.others.isEmpty != false {
        runs[Int(run.reference.place)].listener = (found?.first ?? .none, matches.changes)
      }
      var responder = SessionReference.none
      if let (first, others) = found {
        let best = others.isEmpty ? first : strongest([first] + others.prefix(7), run, &medium)
        responder = woken(best, by: run.reference, &medium)
      }
      rounds[round].responders.append(responder)
    }
  }

  /// Returns the responder, or `none` if it is suspended and does not receive the message that rounds
  /// resume.
  private mutating func woken(
    _ responder: SessionReference, by initiator: SessionReference, _ medium: inout some RadioMedium
  ) -> SessionReference {
    guard isRunning(responder), runs[Int(responder.place)].isSuspended else { return responder }
    let arrived = medium.deliver(
      from: initiator.radio, to: responder.radio,
      channel: runs[Int(initiator.place)].round.channel, at: AirTime.duration(time))
    guard arrived else { return .none }
    setSuspended(false, responder)
    return responder
  }

  /// Of several sessions that match the same key, the one received with the most power is used.
  private func strongest(
    _ candidates: [SessionReference], _ run: SessionRun, _ medium: inout some RadioMedium
  ) -> SessionReference {
    var best = candidates[0]
    var bestPower = -Double.infinity
    for candidate in candidates {
      let power = medium.receivedPower(
        from: candidate.radio, to: run.reference.radio, channel: run.round.channel,
        at: AirTime.duration(time))
      if let power, power > bestPower { (best, bestPower) = (candidate, power) }
    }
    return best
  }

  /// Marks a responder's session as suspended or resumed, and notifies its host.
  private mutating func setSuspended(_ isSuspended: Bool, _ session: SessionReference) {
    guard isRunning(session) else { return }
    runs[Int(session.place)].isSuspended = isSuspended
    var effects: [ChipEffect] = []
    chips[Int(session.chip)].setSuspended(isSuspended, Int(session.slot), &effects)
    perform(effects, Int(session.chip))
  }

  /// Sends a suspended session's round, which is only a control message for controlees that do not know of
  /// the suspension yet.
  private mutating func announceSuspension(_ run: SessionRun, _ medium: inout some RadioMedium) {
    for key in run.keys {
      guard let (first, others) = matches.listener(key) else { continue }
      for listener in [first] + others {
        guard let other = self.run(listener), !other.isSuspended, other.partner == run.reference,
          medium.deliver(
            from: run.reference.radio, to: listener.radio, channel: run.round.channel,
            at: AirTime.duration(time))
        else { continue }
        setSuspended(true, listener)
      }
    }
  }

  /// Schedules an initiator's next round, possibly in a different place of its block.
  private mutating func scheduleNext(_ reference: SessionReference) {
    guard isRunning(reference) else { return }
    runs[Int(reference.place)].advanceBlock()
    if runs[Int(reference.place)].round.hopsWhenLost { chooseRound(Int(reference.place)) }
    let start = runs[Int(reference.place)].roundStart
    // At the end of representable time there is no next round.
    guard start > time else { return }
    events.push(at: start, .beginRound, session: reference)
  }

  mutating func takeRound() -> Int32 {
    if let reused = freeRounds.popLast() { return reused }
    rounds.append(OpenRound())
    return Int32(truncatingIfNeeded: rounds.count - 1)
  }

  /// Registers a round's transmitters and records its conflicts with other rounds.
  mutating func register(_ index: Int32, _ medium: inout some RadioMedium) {
    let round = Int(index)
    let start = rounds[round].start
    let end = AirTime.sum(start, rounds[round].layout.end)
    let channel = rounds[round].channel
    let moment = AirTime.duration(start)
    let transmission = AirTransmission(round: index, start: start, end: end)
    for responder in -1..<rounds[round].responders.count {
      let session = responder < 0 ? rounds[round].initiator : rounds[round].responders[responder]
      guard session != .none else { continue }
      let cell = medium.cell(of: session.radio, at: moment)
      // Radios of the round that are in the same cell share an entry.
      guard !rounds[round].cells.contains(cell) else { continue }
      rounds[round].cells.append(cell)
      scratch.removeAll(keepingCapacity: true)
      collisions.search(near: cell, channel, from: start, to: end, &scratch)
      for other in scratch where other != index && !rounds[round].met.contains(other) {
        rounds[round].met.append(other)
        noteConflicts(round, Int(other))
      }
    }
    for cell in rounds[round].cells {
      rounds[round].transmissions.append(collisions.insert(transmission, cell, channel))
    }
  }

  /// Records, for both rounds, which of their frames overlap.
  private mutating func noteConflicts(_ first: Int, _ second: Int) {
    // A chip sends only one frame at a time: the one of the session with the higher priority, or of the
    // round that began first.
    let isFirstPreferred = rounds[first].priority > rounds[second].priority
    if rounds[first].startsWith(rounds[second]) {
      rounds[isFirstPreferred ? second : first].isSilent = true
    }
    guard !rounds[first].isSilent, !rounds[second].isSilent else { return }
    for mine in rounds[first].frames.indices {
      let left = rounds[first].frames[mine]
      for other in rounds[second].frames.indices {
        let right = rounds[second].frames[other]
        guard left.start < right.end, right.start < left.end else { continue }
        let isSame = left.sender == right.sender
        if !isSame || !isFirstPreferred {
          rounds[first].conflicts.append(OpenRound.Conflict(frame: left, interferer: right.sender))
        }
        if !isSame || isFirstPreferred {
          rounds[second].conflicts.append(OpenRound.Conflict(frame: right, interferer: left.sender))
        }
      }
    }
  }

  mutating func release(_ index: Int32) {
    for transmission in rounds[Int(index)].transmissions { collisions.remove(transmission) }
    rounds[Int(index)].close()
    freeRounds.append(index)
  }

  /// Ends a round after its last slot: carries out the exchanges, reports to both sides, transfers data,
  /// and schedules the next round.
  mutating func finishRound(_ index: Int32, _ medium: inout some RadioMedium) {
    let round = Int(index)
    defer { release(index) }
    let initiator = rounds[round].initiator
    guard let run = side(initiator) else { return }
    var entries: [UCITwoWayMeasurement] = []
    entries.reserveCapacity(rounds[round].addresses.count)
    var reports: [(SessionReference, UCITwoWayMeasurement)] = []
    var partner = SessionReference.none
    // The list of controlees may have changed during the round.
    for place in 0..<rounds[round].responders.count where place < rounds[round].addresses.count {
      let exchange = carryOut(round, place, run, &medium)
      entries.append(exchange.initiator)
      if exchange.responderHears { partner = rounds[round].responders[place] }
      if let entry = exchange.responder { reports.append((rounds[round].responders[place], entry)) }
    }
    if !run.round.isOneToMany, partner != .none {
      runs[Int(initiator.place)].partner = partner
    }
    finish(initiator, entries)
    for (responder, entry) in reports { finish(responder, [entry]) }
    exchangeData(run, round, &medium)
    scheduleNext(initiator)
  }
}
