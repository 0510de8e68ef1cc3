import NearbyExchange
import NearbySchedule
import NearbyUCI

/// The result of one initiator's exchange with one responder.
struct ExchangeResult: Sendable {
  var initiator: UCITwoWayMeasurement
  /// `nil` if the responder has nothing to report, because no session listens or it has never received this
  /// initiator.
  var responder: UCITwoWayMeasurement?
  var responderHears = false
}

extension VirtualAir {
  /// How much stronger than a simultaneous frame a frame must be to be decoded nevertheless, in dB.
  ///
  /// Our choice: no recording contains colliding frames.
  static var captureDecibels: Double { 10 }

  /// Carries out the exchange between a round's initiator and its responder number `place`.
  mutating func carryOut(
    _ round: Int, _ place: Int, _ run: RoundSide, _ medium: inout some RadioMedium
  ) -> ExchangeResult {
    let address = run.round.wireAddress(rounds[round].addresses[place])
    let responder = rounds[round].responders[place]
    let layout = rounds[round].layout
    guard let other = side(responder), !other.isSuspended else {
      let slot = UInt8(clamping: layout.responseSlot(place))
      return ExchangeResult(
        initiator: UCITwoWayMeasurement(address: address, status: .rxTimeout, slotIndex: slot))
    }
    let (collided, isNotSent) = losses(round, place, &medium)
    let plan = plan(round, place, run, other, collided)
    let verdict = ExchangeVerdict(
      layout: layout, initiator: run.round, index: place, outcome: medium.exchange(plan),
      collided: collided, isNotSent: isNotSent)
    return result(verdict, address, run, other)
  }

  /// The measurements for both sides. A responder that received the round becomes the initiator's partner.
  private mutating func result(
    _ verdict: ExchangeVerdict, _ address: UCIAddress, _ run: RoundSide, _ other: RoundSide
  ) -> ExchangeResult {
    let atInitiator = verdict.outcome.atInitiator
    let atResponder = verdict.outcome.atResponder
    let hears = verdict.responderHears
    if hears { link(other.reference, to: run.reference) }
    var result = ExchangeResult(
      initiator: verdict.measurement(
        for: run.round, of: address, failure: verdict.initiatorFailure, view: atInitiator,
        peerAngle: atResponder?.angle), responderHears: hears)
    // A responder that has never received its initiator does not know that there was a round.
    if hears || other.partner == run.reference {
      result.responder = verdict.measurement(
        for: other.round, of: other.round.wireAddress(run.round.address),
        failure: verdict.responderFailure, view: atResponder, peerAngle: atInitiator?.angle)
    }
    return result
  }

  /// Records that a responder took part in a round of this initiator, and no longer has to be watched.
  private mutating func link(_ responder: SessionReference, to initiator: SessionReference) {
    runs[Int(responder.place)].partner = initiator
    runs[Int(responder.place)].isWatching = false
  }

  /// Describes the exchange for the medium: who takes part, and when each frame is sent.
  private func plan(
    _ round: Int, _ place: Int, _ run: RoundSide, _ other: RoundSide, _ collided: ExchangeFrames
  ) -> ExchangePlan {
    let layout = rounds[round].layout
    func offset(_ slot: Int) -> Duration { AirTime.duration(layout.offset(slot)) }
    let initiator = run.reference.radio
    let responder = other.reference.radio
    return ExchangePlan(
      initiator: initiator, responder: responder, channel: rounds[round].channel,
      method: run.round.method, start: AirTime.duration(rounds[round].start),
      pollOffset: offset(layout.pollSlot), responseOffset: offset(layout.responseSlot(place)),
      finalOffset: offset(layout.finalSlot), reportOffset: offset(layout.reportSlot),
      collided: collided,
      measuresAngleAtInitiator: run.measuresAngles,
      measuresAngleAtResponder: other.measuresAngles)
  }

  /// Determines which frames of an exchange are destroyed by other rounds.
  ///
  /// - Returns: Those frames, and whether the initiator could not even send its first ones.
  private func losses(
    _ round: Int, _ place: Int, _ medium: inout some RadioMedium
  ) -> (ExchangeFrames, Bool) {
    var lost: ExchangeFrames = []
    var isNotSent = false
    if rounds[round].isSilent { return ([.control, .poll, .response, .final, .report], true) }
    guard !rounds[round].conflicts.isEmpty else { return (lost, isNotSent) }
    let initiator = rounds[round].initiator.radio
    let responder = rounds[round].responders[place].radio
    // A frame may meet many others, so its own received power is looked up only once.
    var wanted = SIMD8<Double>(repeating: .nan)
    for conflict in rounds[round].conflicts
    where conflict.frame.responder < 0 || conflict.frame.responder == Int32(place) {
      guard !lost.contains(conflict.frame.kind) else { continue }
      let sender = conflict.frame.sender
      let receiver = conflict.frame.responder < 0 ? responder : initiator
      if conflict.interferer == sender {
        lost.insert(conflict.frame.kind)
        if sender == initiator, conflict.frame.kind == .control || conflict.frame.kind == .poll {
          isNotSent = true
        }
      } else if conflict.interferer == receiver
        || isCovered(conflict, receiver, rounds[round].channel, &wanted, &medium)
      {
        lost.insert(conflict.frame.kind)
      }
    }
    return (lost, isNotSent)
  }

  /// Whether an interfering frame is too strong for the wanted frame to be decoded.
  func isCovered(
    _ conflict: OpenRound.Conflict, _ receiver: RadioID, _ channel: UInt8,
    _ wanted: inout SIMD8<Double>, _ medium: inout some RadioMedium
  ) -> Bool {
    let time = AirTime.duration(conflict.frame.start)
    guard
      let interference = medium.receivedPower(
        from: conflict.interferer, to: receiver, channel: channel, at: time)
    else { return false }
    let kind = conflict.frame.kind.rawValue.trailingZeroBitCount & 7
    if wanted[kind].isNaN {
      wanted[kind] =
        medium.receivedPower(from: conflict.frame.sender, to: receiver, channel: channel, at: time)
        ?? -.infinity
    }
    return interference > wanted[kind] - Self.captureDecibels
  }

  /// Ends a round for one side: counts it, notifies the host, and ends the session if a limit is reached.
  mutating func finish(_ reference: SessionReference, _ entries: [UCITwoWayMeasurement]) {
    guard isRunning(reference) else { return }
    if runs[Int(reference.place)].round.reportsDiagnostics {
      finishWithDiagnostics(reference, entries)
    } else if let info = runs[Int(reference.place)].note(entries) {
      send(info, count: entries.count, from: reference.radio)
    }
    guard let reason = runs[Int(reference.place)].limitReached() else { return }
    let chip = Int(reference.chip)
    var effects: [ChipEffect] = []
    chips[chip].leaveActive(Int(reference.slot), reason: reason, &effects)
    perform(effects, chip)
  }

  /// Transfers one data message in each direction between an initiator and the responders that received it.
  mutating func exchangeData(_ run: RoundSide, _ round: Int, _ medium: inout some RadioMedium) {
    let initiator = run.reference
    guard run.carriesData else { return }
    transmit(initiator, rounds[round].responders, &medium)
    for place in rounds[round].responders.indices {
      let responder = rounds[round].responders[place]
      guard isRunning(responder), runs[Int(responder.place)].partner == initiator else { continue }
      transmit(responder, [initiator], &medium)
    }
  }

  /// Sends the first message in a session's queue to its recipient; in google/pica's dialect, to all peers.
  private mutating func transmit(
    _ sender: SessionReference, _ peers: [SessionReference], _ medium: inout some RadioMedium
  ) {
    guard isRunning(sender), runs[Int(sender.place)].hasData, let run = side(sender),
      let message = chips[Int(sender.chip)].sessions[Int(sender.slot)]?.data.first
    else { return }
    let isForAll = chips[Int(sender.chip)].dialect.dataTransfer == .pica
    var arrived = message.hasArrived
    if !arrived {
      for receiver in peers where carriesData(receiver) {
        guard isForAll || side(receiver)?.round.address == message.destination else { continue }
        if deliver(message, from: sender, to: receiver, run.round, &medium) { arrived = true }
        if !isForAll { break }
      }
    }
    var effects: [ChipEffect] = []
    chips[Int(sender.chip)].transmitted(Int(sender.slot), hasArrived: arrived, &effects)
    noteData(Int(sender.chip), Int(sender.slot))
    perform(effects, Int(sender.chip))
  }

  private func carriesData(_ session: SessionReference) -> Bool { side(session)?.carriesData == true }

  /// Delivers a message. It needs one frame for every 1023 octets, and all of them must arrive.
  private mutating func deliver(
    _ message: DataQueue.Message, from sender: SessionReference, to receiver: SessionReference,
    _ parameters: RoundParameters, _ medium: inout some RadioMedium
  ) -> Bool {
    let frames = max((message.octets.count + 1022) / 1023, 1)
    for _ in 0..<frames {
      let arrived = medium.deliver(
        from: sender.radio, to: receiver.radio, channel: parameters.channel, at: AirTime.duration(time))
      guard arrived else { return false }
    }
    guard let session = chips[Int(receiver.chip)].sessions[Int(receiver.slot)] else { return false }
    send(
      .data(
        .received(
          session.token, .ok, source: parameters.address, sequence: message.sequence, message.octets)),
      from: Int(receiver.chip))
    return true
  }
}

extension SessionRun {
  /// Counts a round of this session.
  ///
  /// - Returns: The notification for the host; `nil` if SESSION_INFO_NTF_CONFIG suppresses it.
  mutating func note(_ entries: [UCITwoWayMeasurement]) -> UCISessionInfo? {
    let isGood = entries.contains { $0.status == .ok || $0.status == .okNegativeDistance }
    measurements &+= 1
    failures = isGood ? 0 : failures &+ 1
    trouble = isGood ? trouble - min(trouble, 1) : min(trouble &+ 2, Self.mostTrouble)
    guard gate.passes(entries) else { return nil }
    defer { sequence &+= 1 }
    return UCISessionInfo(
      sequence: sequence, token: token, intervalMilliseconds: round.blockMilliseconds,
      measurements: .twoWay(entries, usesExtendedAddresses: round.usesExtendedAddresses))
  }

  /// Why the session has to end; `nil` if it continues. A limit of 0 means no limit.
  ///
  /// Mutating only so that the run is accessed in place; a nonmutating method would copy it.
  mutating func limitReached() -> UCIReason? {
    if round.maximumMeasurements > 0, measurements >= UInt32(round.maximumMeasurements) {
      return .maxMeasurements
    }
    if round.maximumRetries > 0, failures >= UInt32(round.maximumRetries) {
      return .maxRoundRetries
    }
    return nil
  }
}
