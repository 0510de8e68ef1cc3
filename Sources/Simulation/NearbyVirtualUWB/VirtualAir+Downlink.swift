import NearbyExchange
import NearbySchedule
import NearbyUCI

/// DL-TDoA: anchors whose frames any number of tags only listen to.
///
/// The sessions of one network have a `DownlinkNetwork`. An anchor whose clock is the time reference, or that
/// answers nobody, begins its blocks by itself. Any other anchor begins its rounds in the blocks of an
/// initiator that it hears, so that a bridge carries blocks and time base from one cluster to the next.
extension VirtualAir {
  /// Starts the run of an anchor or a tag.
  mutating func startDownlink(_ reference: SessionReference) {
    let run = runs[Int(reference.place)]
    guard let parameters = run.parameters.downlink,
      let session = chips[Int(reference.chip)].sessions[Int(reference.slot)]
    else { return }
    let network = downlink.join(reference, .network(run.parameters))
    if run.round.isTag {
      let tag = TagMember(
        reference: reference, since: time, rounds: TagMember.bits(session.tagRounds), parameters: parameters,
        usesExtendedAddresses: run.round.usesExtendedAddresses)
      return downlink.update(network) { $0.tags.append(tag) }
    }
    var anchor = AnchorMember(
      reference: reference, address: run.round.address, rounds: session.anchorRounds,
      parameters: parameters, epoch: firstBlock(run))
    if anchor.isSelfDriven { anchor.hopCount = 0 }
    downlink.update(network) { $0.anchors.append(anchor) }
    if anchor.isSelfDriven { scheduleRounds(of: anchor, after: time - 1) }
  }

  /// When an anchor's first block begins: all clusters of a network share one grid of blocks, as if they were
  /// synchronised, and networks that know nothing of each other have grids at random.
  private func firstBlock(_ run: SessionRun) -> Int64 {
    let period = max(run.round.period, 1)
    let hash = SplitMix64.hash(of: seed ^ SplitMix64.hash(of: UInt64(run.round.sessionID)))
    let phase = Int64(hash % UInt64(period))
    let wait = ((phase - run.blockStart) % period + period) % period
    return AirTime.sum(run.blockStart, wait)
  }

  /// Applies new rounds to a running session.
  mutating func changedRounds(_ chip: Int, _ slot: Int) {
    guard let session = chips[chip].sessions[slot], let reference = session.run?.reference,
      isRunning(reference), let network = downlink.network(of: reference)
    else { return }
    let parameters = runs[Int(reference.place)].parameters.downlink
    downlink.update(network) { network in
      for index in network.tags.indices where network.tags[index].reference == reference {
        network.tags[index].rounds = TagMember.bits(session.tagRounds)
      }
    }
    guard let (_, anchor) = downlink.anchor(reference), let parameters else { return }
    let changed = downlink.update(network) { network in
      network.anchors[anchor].rounds = session.anchorRounds
      network.anchors[anchor].parameters = parameters
      network.anchors[anchor].generation &+= 1
      if network.anchors[anchor].isSelfDriven { network.anchors[anchor].hopCount = 0 }
      return network.anchors[anchor]
    }
    if changed.isSelfDriven { scheduleRounds(of: changed, after: time) }
  }

  /// Schedules each round that an anchor initiates, at its next time after `time`.
  private mutating func scheduleRounds(of anchor: AnchorMember, after time: Int64) {
    for round in anchor.initiatedRounds { scheduleRound(round, of: anchor, after: time) }
  }

  private mutating func scheduleRound(_ round: UInt8, of anchor: AnchorMember, after time: Int64) {
    let parameters = runs[Int(anchor.reference.place)].round
    let first = AirTime.sum(anchor.epoch, Int64(round) * parameters.roundDuration)
    let period = max(parameters.period, 1)
    let passed = time < first ? 0 : (time - first) / period + 1
    let start = AirTime.sum(first, passed > (AirTime.latest - first) / period ? .max : passed * period)
    // At the end of representable time there is no next round.
    guard start > time, start < AirTime.latest else { return }
    events.push(
      at: start, .beginAnchorRound, index: Int32(anchor.generation) << 8 | Int32(round),
      session: anchor.reference)
  }

  /// Begins a round of an initiating anchor: registers its frames, and schedules its end and the next one.
  mutating func beginAnchorRound(
    _ reference: SessionReference, _ event: Int32, _ medium: inout some RadioMedium
  ) {
    guard isRunning(reference), let (network, index) = downlink.anchor(reference) else { return }
    let anchor = downlink.networks[network].anchors[index]
    let round = UInt8(truncatingIfNeeded: event)
    guard event >> 8 == Int32(anchor.generation), let responders = anchor.responders(in: round) else {
      return
    }
    if anchor.isSelfDriven { scheduleRound(round, of: anchor, after: time) }
    let run = runs[Int(reference.place)]
    if happens(chips[Int(reference.chip)].faults.roundLoss, at: reference, salt: 1) { return }
    let place = takeRound()
    let slots = responders.slotNumbers
    let layout = RoundLayout(downlink: run.parameters, lastSlot: Int(slots.max() ?? 0))
    rounds[Int(place)].open(reference, run.round, layout: layout, at: time)
    rounds[Int(place)].downlink = OpenRound.Downlink(
      network: network, round: round, block: anchor.block(at: time, run.round), slots: slots)
    for address in responders.addresses {
      rounds[Int(place)].addresses.append(address.zeroExtended)
      let responder = downlink.networks[network].anchor(at: address.zeroExtended)
      let member = responder.map { downlink.networks[network].anchors[$0] }
      let answers = member?.responds(in: round) == true
      rounds[Int(place)].responders.append(answers ? member?.reference ?? .none : .none)
    }
    rounds[Int(place)].layOutFrames()
    register(place, &medium)
    events.push(
      at: AirTime.sum(time, layout.end), .finishAnchorRound, index: place, session: reference)
  }

  /// Ends a round after its last slot: what each anchor heard and sent, then the tags' notifications.
  mutating func finishAnchorRound(_ index: Int32, _ medium: inout some RadioMedium) {
    let round = Int(index)
    defer { release(index) }
    guard !rounds[round].isSilent, let open = rounds[round].downlink, isRunning(rounds[round].initiator),
      let (network, _) = downlink.anchor(rounds[round].initiator)
    else { return }
    let sent = exchangeFrames(round, network, open, &medium)
    countRound(rounds[round].initiator)
    for place in rounds[round].responders.indices where rounds[round].responders[place] != .none {
      countRound(rounds[round].responders[place])
    }
    report(sent, round, network, open, &medium)
  }

  private mutating func countRound(_ reference: SessionReference) {
    if isRunning(reference) { runs[Int(reference.place)].measurements &+= 1 }
  }

  /// Whether something of this probability happens to a session now. `salt` tells apart what happens at one
  /// time.
  func happens(_ chance: Double, at reference: SessionReference, salt: UInt64) -> Bool {
    guard chance > 0 else { return false }
    let identity = chips[Int(reference.chip)].configuration.identity ?? UInt64(reference.chip)
    let start = SplitMix64.hash(of: seed ^ SplitMix64.hash(of: UInt64(bitPattern: time)))
    let hash = SplitMix64.hash(of: start ^ SplitMix64.hash(of: identity ^ salt << 32))
    return Double(hash >> 11) * 0x1p-53 < chance
  }

  /// Begins an anchor's own rounds in the block of an initiator that it heard, unless it follows another one
  /// that it still hears.
  mutating func follow(
    _ initiator: AnchorMember, _ open: OpenRound.Downlink, network: Int, anchor: Int
  ) {
    let member = downlink.networks[network].anchors[anchor]
    guard !member.isSelfDriven else { return }
    let parameters = runs[Int(member.reference.place)].round
    let isSilent = time - member.sourceHeard > parameters.period * 3
    guard member.source == nil || member.source == initiator.address || isSilent else { return }
    let block = runs[Int(initiator.reference.place)].round
    let now = time
    let changed = downlink.update(network) { network in
      network.anchors[anchor].source = initiator.address
      network.anchors[anchor].sourceHeard = now
      network.anchors[anchor].epoch = initiator.blockStart(at: now, block)
      network.anchors[anchor].epochBlock = open.block
      if let base = network.anchors[anchor].initiators.first(where: { $0.address == initiator.address })?
        .base,
        let hops = initiator.hopCount
      {
        network.anchors[anchor].base = base
        network.anchors[anchor].hopCount = hops == .max ? .max : hops + 1
      }
      return network.anchors[anchor]
    }
    scheduleRounds(of: changed, after: time - 1)
  }
}

extension AnchorMember {
  /// The number of the block that contains a time.
  func block(at time: Int64, _ round: RoundParameters) -> UInt64 {
    epochBlock &+ UInt64(max(time - epoch, 0) / max(round.blockDuration, 1))
  }

  func blockStart(at time: Int64, _ round: RoundParameters) -> Int64 {
    let length = max(round.blockDuration, 1)
    return epoch + max(time - epoch, 0) / length * length
  }
}
