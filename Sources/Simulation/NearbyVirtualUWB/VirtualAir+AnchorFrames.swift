import NearbyExchange
import NearbySchedule
import NearbyUCI

/// The frames of a DL-TDoA round: what the anchors stamp, and what the tags report.
extension VirtualAir {
  /// A round between its anchors while its frames are sent, in the order of their slots.
  private struct Progress {
    let round: Int
    let network: Int
    let open: OpenRound.Downlink
    let initiator: AnchorMember
    var sent: [SentFrame] = []
    var pollSent: UInt64 = 0
    /// The responses that the initiator received: place in `sent`, the responder, its entry of the initiator.
    var exchanges: [(frame: Int, anchor: Int, heard: Int, stamps: AnchorStamps)] = []
  }

  /// Carries out a round between its anchors.
  ///
  /// - Returns: The frames that were sent, with what they say.
  mutating func exchangeFrames(
    _ round: Int, _ network: Int, _ open: OpenRound.Downlink, _ medium: inout some RadioMedium
  ) -> [SentFrame] {
    guard let (_, index) = downlink.anchor(rounds[round].initiator) else { return [] }
    var progress = Progress(
      round: round, network: network, open: open, initiator: downlink.networks[network].anchors[index])
    for frame in rounds[round].frames where !isNotSent(frame, round) {
      switch frame.kind {
      case .poll: sendPoll(frame, &progress, &medium)
      case .response: sendResponse(frame, &progress, &medium)
      case .final: sendFinal(frame, &progress, &medium)
      default: break
      }
    }
    let omitsReplies = chips[Int(progress.initiator.reference.chip)].faults.omitsReplyTimes
    for exchange in progress.exchanges {
      learn(exchange.stamps, exchange.anchor, exchange.heard, network)
      guard !omitsReplies, let reply = exchange.stamps.initiatorReply else { continue }
      progress.sent[exchange.frame].message.initiatorReplyTime = UInt32(clamping: reply)
    }
    return progress.sent
  }

  private mutating func sendPoll(
    _ frame: OpenRound.Frame, _ progress: inout Progress, _ medium: inout some RadioMedium
  ) {
    let initiator = progress.initiator
    progress.pollSent = medium.counter(of: frame.sender, at: frame.start)
    let stamp = initiator.stamp(progress.pollSent)
    progress.sent.append(SentFrame(frame: frame, message: message(initiator, 0, stamp, progress.open)))
    hearPoll(frame, stamp, progress, &medium)
  }

  /// Lets a responder that received the poll answer it.
  private mutating func sendResponse(
    _ frame: OpenRound.Frame, _ progress: inout Progress, _ medium: inout some RadioMedium
  ) {
    let (round, network, initiator) = (progress.round, progress.network, progress.initiator)
    guard let (_, anchor) = downlink.anchor(rounds[round].responders[Int(frame.responder)]),
      let heard = downlink.networks[network].anchors[anchor].initiators.firstIndex(where: {
        $0.address == initiator.address && $0.lastRound == rounds[round].start
      })
    else { return }
    let own = medium.counter(of: frame.sender, at: frame.start)
    let received = downlink.networks[network].anchors[anchor].initiators[heard].received
    progress.sent.append(
      SentFrame(frame: frame, message: response(network, anchor, heard, own, progress.open)))
    guard !isLost(frame, rounds[round].conflicts, round, at: initiator.reference.radio, &medium),
      let reception = medium.receive(broadcast(frame, round), at: initiator.reference.radio)
    else { return }
    let stamps = AnchorStamps(
      pollSent: progress.pollSent, pollReceived: received, responseSent: own,
      responseReceived: reception.received)
    progress.exchanges.append((progress.sent.count - 1, anchor, heard, stamps))
  }

  private mutating func sendFinal(
    _ frame: OpenRound.Frame, _ progress: inout Progress, _ medium: inout some RadioMedium
  ) {
    let initiator = progress.initiator
    let loss = chips[Int(initiator.reference.chip)].faults.finalLoss
    guard !happens(loss, at: initiator.reference, salt: 2) else { return }
    let own = medium.counter(of: frame.sender, at: frame.start)
    progress.sent.append(
      SentFrame(frame: frame, message: message(initiator, 2, initiator.stamp(own), progress.open)))
    for index in progress.exchanges.indices {
      progress.exchanges[index].stamps.finalSent = own
      let member = downlink.networks[progress.network].anchors[progress.exchanges[index].anchor]
      let conflicts = rounds[progress.round].conflicts
      guard !isLost(frame, conflicts, progress.round, at: member.reference.radio, &medium) else { continue }
      progress.exchanges[index].stamps.finalReceived =
        medium.receive(broadcast(frame, progress.round), at: member.reference.radio)?.received
    }
  }

  private func broadcast(_ frame: OpenRound.Frame, _ round: Int) -> BroadcastFrame {
    BroadcastFrame(sender: frame.sender, channel: rounds[round].channel, sent: frame.start)
  }

  /// Lets every responder of a round receive the poll.
  private mutating func hearPoll(
    _ frame: OpenRound.Frame, _ stamp: UInt64, _ progress: Progress, _ medium: inout some RadioMedium
  ) {
    let (round, network, initiator) = (progress.round, progress.network, progress.initiator)
    for session in rounds[round].responders where session != .none && isRunning(session) {
      guard let (_, anchor) = downlink.anchor(session),
        !happens(chips[Int(session.chip)].faults.pollLoss, at: session, salt: 3),
        !isLost(frame, rounds[round].conflicts, round, at: session.radio, &medium),
        let reception = medium.receive(broadcast(frame, round), at: session.radio)
      else { continue }
      let start = rounds[round].start
      downlink.update(network) { network in
        let entry = network.anchors[anchor].heardPoll(
          from: initiator.address, sent: stamp, received: reception.received, carrier: reception.clockOffset)
        network.anchors[anchor].initiators[entry].lastRound = start
      }
      follow(initiator, progress.open, network: network, anchor: anchor)
    }
  }

  /// Updates what a responder knows of its distance to the initiator.
  private mutating func learn(_ stamps: AnchorStamps, _ anchor: Int, _ heard: Int, _ network: Int) {
    downlink.update(network) { network in
      let offset = network.anchors[anchor].initiators[heard].offset
      if let flight = stamps.timeOfFlight(offset: offset) {
        network.anchors[anchor].initiators[heard].measured(flight)
      }
    }
  }

  /// A frame's content: its fields but those of reception.
  private func message(
    _ anchor: AnchorMember, _ type: UInt8, _ stamp: UInt64, _ open: OpenRound.Downlink
  ) -> UCIDownlinkTDoAMeasurement {
    let parameters = anchor.parameters
    let round = runs[Int(anchor.reference.place)].round
    return UCIDownlinkTDoAMeasurement(
      address: round.wireAddress(anchor.address), messageType: type,
      hasCommonTimeBase: parameters.usesCommonTimeBase && anchor.hopCount != nil,
      blockIndex: UInt16(truncatingIfNeeded: open.block), roundIndex: open.round,
      transmitted: parameters.stamp(faulty(stamp, anchor, salt: UInt64(type))),
      location: parameters.location,
      activeRounds: parameters.sendsActiveRounds ? anchor.activeRounds : [])
  }

  /// A response's content: its stamp in the initiator's time base if the responder knows how to convert, and
  /// what a tag needs to convert itself.
  private func response(
    _ network: Int, _ index: Int, _ heard: Int, _ own: UInt64, _ open: OpenRound.Downlink
  ) -> UCIDownlinkTDoAMeasurement {
    let anchor = downlink.networks[network].anchors[index]
    let initiator = anchor.initiators[heard]
    let base = anchor.parameters.usesCommonTimeBase ? initiator.base : nil
    var message = message(anchor, 1, base?.common(own) ?? own, open)
    message.hasCommonTimeBase = base != nil
    if !chips[Int(anchor.reference.chip)].faults.omitsReplyTimes {
      message.responderReplyTime = UInt32(clamping: own &- initiator.received)
    }
    if anchor.parameters.sendsClockOffset {
      message.anchorClockOffsetQ6_10 = Self.wireOffset(initiator.offset)
    }
    if anchor.parameters.sendsTimeOfFlight, let flight = initiator.timeOfFlight {
      message.timeOfFlight = UInt16(clamping: WireRounding.nearest(flight, in: 0...65_535))
    }
    return message
  }

  /// A stamp with the anchor's faults.
  private func faulty(_ stamp: UInt64, _ anchor: AnchorMember, salt: UInt64) -> UInt64 {
    let faults = chips[Int(anchor.reference.chip)].faults
    var stamp = stamp
    if faults.stampOffset != 0 {
      let ticks = WireRounding.nearest(faults.stampOffset * Self.ticksPerMetre, in: -1_000_000...1_000_000)
      stamp &+= UInt64(bitPattern: Int64(ticks))
    }
    if happens(faults.wildChance, at: anchor.reference, salt: 8 + salt) {
      let hash = SplitMix64.hash(of: stamp ^ anchor.address)
      let metres = Double(hash >> 11) * 0x1p-53 * 200 - 100
      stamp &+= UInt64(bitPattern: Int64(metres * Self.ticksPerMetre))
    }
    if happens(faults.wrapChance, at: anchor.reference, salt: 4 + salt) { stamp &+= 1 << 32 }
    return stamp
  }

  /// Ticks of 1 / (128 · 499.2 MHz) in which light in air passes one metre.
  private static var ticksPerMetre: Double { 63_897_600_000 / 299_702_547 }

  /// Parts per million in signed Q6.10.
  static func wireOffset(_ ppm: Double) -> Int16 {
    Int16(WireRounding.nearest(ppm * 1024, in: -32_768...32_767))
  }

  // MARK: Collisions

  /// Whether the sender's chip was busy with another frame.
  private func isNotSent(_ frame: OpenRound.Frame, _ round: Int) -> Bool {
    rounds[round].conflicts.contains { conflict in
      conflict.frame.kind == frame.kind && conflict.frame.responder == frame.responder
        && conflict.interferer == frame.sender
    }
  }

  /// Whether another round's frame covers this one at a receiver.
  private func isLost(
    _ frame: OpenRound.Frame, _ conflicts: [OpenRound.Conflict], _ round: Int, at receiver: RadioID,
    _ medium: inout some RadioMedium
  ) -> Bool {
    var wanted = SIMD8<Double>(repeating: .nan)
    for conflict in conflicts
    where conflict.frame.kind == frame.kind && conflict.frame.responder == frame.responder {
      if conflict.interferer == receiver
        || isCovered(conflict, receiver, rounds[round].channel, &wanted, &medium)
      {
        return true
      }
    }
    return false
  }

  // MARK: Tags

  /// The tags that are near enough to hear something from these cells, in the order in which they joined.
  ///
  /// All clusters of a network begin their rounds at the same times, so that the tags' cells are looked up once for all.
  private mutating func tags(
    near cells: [RadioCell], _ network: Int, at start: Int64, _ medium: inout some RadioMedium
  ) -> [TagMember] {
    if downlink.networks[network].tagCells?.start != start {
      let moment = AirTime.duration(start)
      var members: [RadioCell: [Int]] = [:]
      for (place, tag) in downlink.networks[network].tags.enumerated() {
        members[medium.cell(of: tag.reference.radio, at: moment), default: []].append(place)
      }
      downlink.update(network) { $0.tagCells = TagCells(start: start, members: members) }
    }
    let found = downlink.networks[network].tagCells?.members(near: cells) ?? []
    return found.map { downlink.networks[network].tags[$0] }
  }

  /// Notifies the hosts of all tags that listened to a round and heard something.
  mutating func report(
    _ sent: [SentFrame], _ round: Int, _ network: Int, _ open: OpenRound.Downlink,
    _ medium: inout some RadioMedium
  ) {
    guard !sent.isEmpty, !downlink.networks[network].tags.isEmpty else { return }
    rounds[round].listRadios(sent.lazy.map(\.frame))
    var ended: [(SessionReference, UCIReason)] = []
    for tag in tags(near: rounds[round].cells, network, at: rounds[round].start, &medium)
    where tag.listens(to: open.round, block: open.block, from: rounds[round].start) {
      let measurements = receive(sent, round, tag, &medium)
      guard !measurements.isEmpty else { continue }
      if let info = runs[Int(tag.reference.place)].note(measurements, of: tag) {
        send(.notification(.sessionInfo(info)), from: tag.reference.radio.index)
      }
      if let reason = runs[Int(tag.reference.place)].limitReached() { ended.append((tag.reference, reason)) }
    }
    for (session, reason) in ended {
      var effects: [ChipEffect] = []
      chips[Int(session.chip)].leaveActive(Int(session.slot), reason: reason, &effects)
      perform(effects, Int(session.chip))
    }
  }

  /// A round's conflicts without those whose interferer is too far from a tag to matter.
  private func conflicts(
    _ round: Int, at receiver: RadioID, _ medium: inout some RadioMedium
  ) -> [OpenRound.Conflict] {
    guard !rounds[round].conflicts.isEmpty else { return [] }
    let near = audible(rounds[round].interferers, round, by: receiver, &medium)
    return near.isEmpty ? [] : rounds[round].conflicts.filter { near.contains($0.interferer) }
  }

  private func audible(
    _ senders: [RadioID], _ round: Int, by receiver: RadioID, _ medium: inout some RadioMedium
  ) -> [RadioID] {
    medium.audible(
      by: receiver, among: senders, at: AirTime.duration(rounds[round].start),
      for: AirTime.duration(rounds[round].layout.end))
  }

  /// What one tag reports of a round's frames.
  private func receive(
    _ sent: [SentFrame], _ round: Int, _ tag: TagMember, _ medium: inout some RadioMedium
  ) -> [UCIDownlinkTDoAMeasurement] {
    let radio = tag.reference.radio
    let near = audible(rounds[round].senders, round, by: radio, &medium)
    guard !near.isEmpty else { return [] }
    var measurements: [UCIDownlinkTDoAMeasurement] = []
    measurements.reserveCapacity(sent.count)
    let conflicts = conflicts(round, at: radio, &medium)
    for one in sent where near.contains(one.frame.sender) {
      if !conflicts.isEmpty, isLost(one.frame, conflicts, round, at: radio, &medium) { continue }
      guard let reception = medium.receive(broadcast(one.frame, round), at: radio) else { continue }
      var measurement = one.message
      measurement.received = tag.parameters.stamp(reception.received)
      measurement.rssiHalfDecibels = ExchangeVerdict.wireRSSI(reception.rssiDBm)
      measurement.nonLineOfSight = reception.looksNonLineOfSight ? 1 : 0
      measurement.clockOffsetQ6_10 = Self.wireOffset(reception.clockOffset)
      measurements.append(measurement)
    }
    return measurements
  }
}

extension SessionRun {
  /// Counts a round of a tag.
  ///
  /// - Returns: The notification for the host; `nil` if SESSION_INFO_NTF_CONFIG suppresses it.
  fileprivate mutating func note(
    _ measurements: [UCIDownlinkTDoAMeasurement], of tag: TagMember
  ) -> UCISessionInfo? {
    self.measurements &+= 1
    failures = 0
    guard gate.configuration != 0 else { return nil }
    defer { sequence &+= 1 }
    return UCISessionInfo(
      sequence: sequence, token: token, intervalMilliseconds: round.blockMilliseconds,
      measurements: .downlinkTDoA(measurements, usesExtendedAddresses: tag.usesExtendedAddresses))
  }
}
