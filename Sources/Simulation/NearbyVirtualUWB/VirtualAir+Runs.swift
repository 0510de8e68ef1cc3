import NearbySchedule
import NearbyUCI

/// Sessions coming on the air and leaving it.
extension VirtualAir {
  func run(_ reference: SessionReference) -> SessionRun? {
    let place = Int(reference.place)
    guard place >= 0, place < runs.count, runs[place].reference == reference else { return nil }
    return runs[place]
  }

  /// What a round asks of a run; `nil` once it is over.
  func side(_ reference: SessionReference) -> RoundSide? {
    guard isRunning(reference) else { return nil }
    // Field by field: a copy of the whole run is dear.
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

  /// A session's queue of data changed: its run keeps whether anything waits, so that rounds need no chip.
  mutating func noteData(_ chip: Int, _ slot: Int) {
    guard chips[chip].sessions.indices.contains(slot), let session = chips[chip].sessions[slot],
      let reference = session.run?.reference, isRunning(reference)
    else { return }
    runs[Int(reference.place)].hasData = !session.data.isEmpty
  }

  /// The run an event means; `none` when it is over.
  func reference(_ event: RoundEvent) -> SessionReference {
    let place = Int(event.place)
    guard place >= 0, place < runs.count, runs[place].reference.run == event.run else { return .none }
    return runs[place].reference
  }

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
        // Rounds that stay where they are begin when their host says, but for a few rounds' time.
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
    if run.round.isInitiator {
      events.push(at: run.roundStart, .beginRound, session: reference)
    } else if let key = run.keys.first {
      matches.insert(reference, key)
    }
  }

  /// A run is over: nobody hears the session any more, except that a controller may tell its controlees.
  mutating func stop(_ handle: RunHandle, tellsPeers: Bool) {
    guard let run = run(handle.reference) else { return }
    release(run)
    if !run.round.isInitiator, let key = run.keys.first { matches.remove(run.reference, key) }
    let partners = partners(of: run, run.keys)
    if tellsPeers, run.parameters.isController { announce(run, to: partners) }
    guard run.round.isInitiator else { return }
    var next = run
    advance(&next)
    for partner in partners { watch(partner, from: AirTime.sum(next.roundStart, next.layout.end)) }
  }

  /// Frees a run's place; the session keeps its count of rounds.
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

  /// Moves a copy of a run to its next round.
  private func advance(_ run: inout SessionRun) {
    if run.roundStart <= time { run.advanceBlock() }
  }

  /// Sessions that took part in this run's last rounds.
  private func partners(of run: SessionRun, _ keys: [MatchKey]) -> [SessionReference] {
    guard run.round.isInitiator else {
      return self.run(run.partner)?.partner == run.reference ? [run.partner] : []
    }
    return keys.flatMap { key -> [SessionReference] in
      guard let (first, others) = matches.listener(key) else { return [] }
      return ([first] + others).filter { self.run($0)?.partner == run.reference }
    }
  }

  private mutating func watch(_ responder: SessionReference, from time: Int64) {
    guard let watch = run(responder)?.watch else { return }
    runs[Int(responder.place)].watch = watch &+ 1
    runs[Int(responder.place)].isWatching = true
    events.push(at: time, .missedRound, index: watch &+ 1, session: responder)
  }

  /// A responder whose initiator is gone expected a round to be over by now.
  mutating func missRound(_ reference: SessionReference, watch: Int32) {
    guard let run = run(reference), run.watch == watch, run.isWatching, !run.isSuspended else { return }
    let parameters = run.parameters
    let next = AirTime.sum(time, parameters.round.period)
    // At the end of time there is no next one.
    if next > time { events.push(at: next, .missedRound, index: watch, session: reference) }
    let missed = UCITwoWayMeasurement(
      address: parameters.round.wireAddress(parameters.peers.first ?? 0), status: .rxTimeout)
    finish(reference, [missed])
  }

  /// Parameters or controlees changed while the session runs.
  mutating func change(
    _ chip: Int, _ slot: Int, _ handle: RunHandle, _ removed: [MatchKey]
  ) {
    guard let session = chips[chip].sessions[slot], let before = run(handle.reference) else { return }
    var run = before
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

/// A controller that stopped tells its controlees in the rounds that would have been next.
struct StopAnnouncement: Sendable {
  /// The run that ended; only sessions that last heard this one listen.
  var run: SessionRun
  var listeners: [SessionReference]
  var remaining: UInt8
  /// The chip's count of resets: a reset chip announces nothing.
  var resets: UInt32
}

extension VirtualAir {
  private mutating func announce(_ run: SessionRun, to listeners: [SessionReference]) {
    guard run.parameters.terminationAttempts > 0, !listeners.isEmpty else { return }
    var next = run
    // A responder does not keep the schedule; its initiator does.
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
