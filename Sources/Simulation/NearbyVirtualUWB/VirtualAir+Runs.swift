import NearbySchedule
import NearbyUCI

/// The start, change and end of sessions on the air.
extension VirtualAir {
  /// The run with this reference; `nil` if it has ended.
  func run(_ reference: SessionReference) -> SessionRun? {
    let place = Int(reference.place)
    guard place >= 0, place < runs.count, runs[place].reference == reference else { return nil }
    return runs[place]
  }

  /// The parts of a run that a round needs; `nil` if the run has ended.
  func side(_ reference: SessionReference) -> RoundSide? {
    guard isRunning(reference) else { return nil }
    // Copy only these fields, because copying the whole run is expensive.
    let place = Int(reference.place)
    return RoundSide(
      reference: reference, round: runs[place].round, partner: runs[place].partner,
      carriesData: runs[place].carriesData, measuresAngles: runs[place].measuresAngles,
      isSuspended: runs[place].isSuspended)
  }

  func isRunning(_ reference: SessionReference) -> Bool {
    let place = Int(reference.place)
    return place >= 0 && place < runs.count && runs[place].reference == reference
  }

  /// Records in the run whether a session has queued data, so that rounds need not look at the chip.
  mutating func noteData(_ chip: Int, _ slot: Int) {
    guard chips[chip].sessions.indices.contains(slot), let session = chips[chip].sessions[slot],
      let reference = session.run?.reference, isRunning(reference)
    else { return }
    runs[Int(reference.place)].hasData = !session.data.isEmpty
  }

  /// The run to which an event belongs; `none` if it has ended.
  func reference(_ event: RoundEvent) -> SessionReference {
    let place = Int(event.place)
    guard place >= 0, place < runs.count, runs[place].reference.run == event.run else { return .none }
    return runs[place].reference
  }

  /// Starts a run for a session that became ACTIVE.
  mutating func start(_ chip: Int, _ slot: Int, _ delay: StartDelay) {
    guard let session = chips[chip].sessions[slot] else { return }
    let place = freeRuns.popLast()
    let reference = SessionReference(
      chip: Int32(truncatingIfNeeded: chip), slot: Int32(truncatingIfNeeded: slot),
      place: place ?? Int32(truncatingIfNeeded: runs.count), run: nextRun())
    var run = SessionRun(
      session, reference: reference, start: time,
      hasAntennas: chips[chip].configuration.measuresAngles)
    switch delay {
    case .until(let start): run.blockStart = start
    case .none:
      if run.round.isInitiator {
        run.blockStart = AirTime.sum(
          run.blockStart, AirTime.nanoseconds(chips[chip].configuration.startLead))
        var spread = AirTime.nanoseconds(chips[chip].configuration.startSpread)
        // Rounds that stay in place begin when their host asks, at most two rounds later.
        if !run.round.hops { spread = min(spread, run.round.roundDuration * 2) }
        if spread > 0 {
          let number = random(session, on: chip)
          run.blockStart += Int64(number % UInt64(spread))
        }
        run.blockStart = freeStart(run)
      }
    }
    chips[chip].sessions[slot]?.run = RunHandle(reference: reference, parameters: run.parameters)
    run.hasData = !session.data.isEmpty
    if place == nil { runs.append(run) } else { runs[Int(reference.place)] = run }
    if run.parameters.downlink != nil { return startDownlink(reference) }
    if run.round.isInitiator {
      events.push(at: run.roundStart, .beginRound, session: reference)
    } else if let key = run.keys.first {
      matches.insert(reference, key)
    }
  }

  /// Ends a run. Its session receives no more rounds, except that a controller may announce the end to its
  /// controlees.
  mutating func stop(_ handle: RunHandle, tellsPeers: Bool) {
    guard let run = run(handle.reference) else { return }
    release(run)
    if run.parameters.downlink != nil { return downlink.leave(run.reference) }
    if !run.round.isInitiator, let key = run.keys.first { matches.remove(run.reference, key) }
    let partners = partners(of: run, run.keys)
    if tellsPeers, run.parameters.isController { announce(run, to: partners) }
    guard run.round.isInitiator else { return }
    var next = run
    advance(&next)
    for partner in partners { watch(partner, from: AirTime.sum(next.roundStart, next.layout.end)) }
  }

  /// Frees a run's place in the table. The session keeps the count of rounds.
  private mutating func release(_ run: SessionRun) {
    let chip = Int(run.reference.chip)
    let slot = Int(run.reference.slot)
    if chips[chip].sessions.indices.contains(slot), chips[chip].sessions[slot]?.token == run.token {
      chips[chip].sessions[slot]?.rangingCount = run.measurements
    }
    chips[chip].radioTime.add(run)
    runs[Int(run.reference.place)].reference = .none
    runs[Int(run.reference.place)].keys = []
    freeRuns.append(run.reference.place)
  }

  /// Moves a copy of a run to its next round in the future.
  private func advance(_ run: inout SessionRun) {
    if run.roundStart <= time { run.advanceBlock() }
  }

  /// The running sessions whose last round was with this run.
  private func partners(of run: SessionRun, _ keys: [MatchKey]) -> [SessionReference] {
    guard run.round.isInitiator else {
      return self.run(run.partner)?.partner == run.reference ? [run.partner] : []
    }
    return keys.flatMap { key -> [SessionReference] in
      guard let (first, others) = matches.listener(key) else { return [] }
      return ([first] + others).filter { self.run($0)?.partner == run.reference }
    }
  }

  /// Makes a responder without initiator report a lost round whenever it expects one, from `time` on.
  private mutating func watch(_ responder: SessionReference, from time: Int64) {
    guard let watch = run(responder)?.watch else { return }
    runs[Int(responder.place)].watch = watch &+ 1
    runs[Int(responder.place)].isWatching = true
    events.push(at: time, .missedRound, index: watch &+ 1, session: responder)
  }

  /// Reports a lost round to the host of a responder whose initiator is gone, and schedules the next one.
  mutating func missRound(_ reference: SessionReference, watch: Int32) {
    guard let run = run(reference), run.watch == watch, run.isWatching, !run.isSuspended else { return }
    let parameters = run.parameters
    let next = AirTime.sum(time, parameters.round.period)
    // At the end of representable time there is no next round.
    if next > time { events.push(at: next, .missedRound, index: watch, session: reference) }
    let missed = UCITwoWayMeasurement(
      address: parameters.round.wireAddress(parameters.peers.first ?? 0), status: .rxTimeout)
    finish(reference, [missed])
  }

  /// Applies a change of parameters or controlees to a running session.
  mutating func change(
    _ chip: Int, _ slot: Int, _ handle: RunHandle, _ removed: [MatchKey]
  ) {
    guard let session = chips[chip].sessions[slot], let before = run(handle.reference) else { return }
    var run = before
    if run.parameters.downlink != nil {
      run.update(session)
      runs[Int(run.reference.place)] = run
      chips[chip].sessions[slot]?.run?.parameters = run.parameters
      return changedRounds(chip, slot)
    }
    if !run.round.isInitiator, let key = run.keys.first { matches.remove(run.reference, key) }
    let gone = partners(of: run, removed)
    run.update(session)
    runs[Int(run.reference.place)] = run
    chips[chip].sessions[slot]?.run?.parameters = run.parameters
    if !run.round.isInitiator, let key = run.keys.first { matches.insert(run.reference, key) }
    guard !gone.isEmpty else { return }
    announce(before, to: gone)
    advance(&run)
    for partner in gone { watch(partner, from: AirTime.sum(run.roundStart, run.layout.end)) }
  }
}

/// The announcement of a controller that stopped, sent to its controlees in what would have been its next
/// rounds.
struct StopAnnouncement: Sendable {
  /// The run that ended. Only sessions whose last round was with this run listen.
  var run: SessionRun
  var listeners: [SessionReference]
  var remaining: UInt8
  /// The chip's count of resets at the stop: a chip that has been reset since announces nothing.
  var resets: UInt32
}

extension VirtualAir {
  /// Schedules the announcement that a controller has stopped, if it is configured to make one.
  private mutating func announce(_ run: SessionRun, to listeners: [SessionReference]) {
    guard run.parameters.terminationAttempts > 0, !listeners.isEmpty else { return }
    var next = run
    // The schedule is the initiator's, not that of a responder.
    if !run.round.isInitiator, let initiator = self.run(run.partner) {
      next.blockStart = initiator.blockStart
    }
    advance(&next)
    let announcement = StopAnnouncement(
      run: next, listeners: listeners, remaining: run.parameters.terminationAttempts,
      resets: chips[Int(run.reference.chip)].resets)
    let index: Int32
    if let reused = freeAnnouncements.popLast() {
      index = reused
      announcements[Int(index)] = announcement
    } else {
      index = Int32(truncatingIfNeeded: announcements.count)
      announcements.append(announcement)
    }
    events.push(at: next.roundStart, .announceStop, index: index)
  }

  /// Sends a stop announcement once, and schedules the next one until no attempts or listeners are left.
  mutating func announceStop(_ index: Int32, _ medium: inout some RadioMedium) {
    var announcement = announcements[Int(index)]
    let controller = announcement.run.reference
    let chip = Int(controller.chip)
    announcement.listeners = announcement.listeners.filter { run($0)?.partner == controller }
    guard chips[chip].isPresent, chips[chip].resets == announcement.resets else {
      return release(announcement: index)
    }
    for listener in announcement.listeners
    where medium.deliver(
      from: controller.radio, to: listener.radio, channel: announcement.run.round.channel,
      at: AirTime.duration(time))
    {
      var effects: [ChipEffect] = []
      chips[Int(listener.chip)].leaveActive(Int(listener.slot), reason: .stoppedInBand, &effects)
      perform(effects, Int(listener.chip))
    }
    announcement.remaining -= 1
    announcement.run.advanceBlock()
    guard announcement.remaining > 0, !announcement.listeners.isEmpty else {
      return release(announcement: index)
    }
    announcements[Int(index)] = announcement
    events.push(at: announcement.run.roundStart, .announceStop, index: index)
  }

  private mutating func release(announcement index: Int32) {
    announcements[Int(index)].listeners = []
    freeAnnouncements.append(index)
  }
}
