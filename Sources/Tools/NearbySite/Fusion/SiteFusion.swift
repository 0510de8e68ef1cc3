import NearbyBeacons
import NearbyPosition
import NearbySchedule
import NearbyStateOctets

/// Turns readings from many receivers into positions, rooms and fence events of many tags.
///
/// A pure machine: readings and the present time go in, outputs come out. Each tag has its own estimators and
/// no other tag's readings touch them, so the cost of a reading does not depend on the number of tags.
///
/// **Input:** `add` takes readings in any order of their senders; `advance` must be called about once a second,
/// so that silence is noticed.
///
/// **Output:** appended to a list that the caller passes: `appeared` and `vanished` once each, a `report` at
/// most every `plan.interval` seconds a tag and at once when the room changes, and fence events in the order
/// enter, dwell, exit.
///
/// **Invariants:** a tag's time never runs backwards; a reading is counted exactly once, as used or with one
/// reason for being dropped; memory per tag is bounded.
package struct SiteFusion: Sendable {
  package let plan: SitePlan
  private let sites: [ReceiverSite]
  private let fresh: PositionSolver?
  private var tracks: [TagTrack]
  package var counts = SiteCounts()

  /// Readings whose times differ by less are taken in the order of arrival, seconds: gateways and brokers
  /// delay messages differently. A walking tag moves some centimetres in that time.
  static let disorder = 0.25
  /// Readings older than this are late, and newer than this are ahead, compared with the present, seconds.
  static let oldest = 10.0
  static let newest = 2.0
  /// Seconds between two looks at a tag's room and fences.
  private static let look = 0.1
  /// How exactly a room's border is known, metres: walls and doorways have a width, and people stand in them.
  private static let wall = 0.5
  /// Seconds for which ranging outranks beacons after the newest range.
  private static let preference = 3.0

  /// - Throws: `PositionError` if the receivers can't be anchors, for example because two are at one place.
  package init(_ plan: SitePlan) throws(PositionError) {
    self.plan = plan
    sites = plan.receivers.map {
      ReceiverSite(
        name: $0.id, position: SIMD3($0.position.x, $0.position.y, $0.position.z - plan.level(of: $0.floor)))
    }
    if plan.receivers.count >= 3 {
      var options = PositionOptions()
      options.heights = plan.heights
      fresh = try PositionSolver(anchors: plan.anchors, options: options)
    } else {
      fresh = nil
    }
    tracks = plan.tags.map { _ in TagTrack() }
  }

  // MARK: Input

  /// Adds a reading.
  ///
  /// - Parameters:
  ///   - now: The present, Unix seconds.
  ///   - outputs: What follows from it is appended.
  package mutating func add(_ reading: SiteReading, now: Double, _ outputs: inout [SiteOutput]) {
    guard tracks.indices.contains(reading.tag) else { return counts.add(.unknownTag) }
    guard plan.receivers.indices.contains(reading.receiver) else { return counts.add(.unknownReceiver) }
    let known = counts.used
    defer { tracks[reading.tag].tally(wasUsed: counts.used != known) }
    guard reading.time.isFinite else { return counts.add(.impossible) }
    if let number = reading.number, let reason = tracks[reading.tag].admit(number) {
      return counts.add(reason)
    }
    guard reading.time <= now + Self.newest else { return counts.add(.ahead) }
    guard reading.time >= now - Self.oldest, reading.time > tracks[reading.tag].latest - Self.disorder else {
      return counts.add(.late)
    }
    let time = max(reading.time, tracks[reading.tag].latest)
    if let reason = fuse(reading, at: time) { return counts.add(reason) }
    counts.addUsed()
    tracks[reading.tag].latest = time
    if !tracks[reading.tag].isPresent {
      tracks[reading.tag].isPresent = true
      outputs.append(.appeared(tag: reading.tag, time: time))
    }
    guard time - tracks[reading.tag].lastEvaluation >= Self.look else { return }
    evaluate(reading.tag, at: time, &outputs)
  }

  /// Notices tags that fell silent.
  package mutating func advance(now: Double, _ outputs: inout [SiteOutput]) {
    advance(tracks.indices, now: now, &outputs)
  }

  /// Notices which of some tags fell silent.
  package mutating func advance(
    _ tags: some Sequence<Int>, now: Double, _ outputs: inout [SiteOutput]
  ) {
    for tag in tags where tracks[tag].isPresent && now - tracks[tag].latest > plan.silence {
      leave(tag, at: now, &outputs)
    }
  }

  /// Readings of a tag so far: those that were used, and those that were dropped.
  package func tally(of tag: Int) -> (used: Int, dropped: Int) { tracks[tag].tally }

  // MARK: State, for those who join later

  /// The present state of a tag; `nil` while it is away.
  package func report(of tag: Int) -> SiteReport? {
    guard tracks.indices.contains(tag), tracks[tag].isPresent else { return nil }
    let track = tracks[tag]
    return SiteReport(
      tag: tag, time: track.latest, position: track.position, nearest: track.nearest, room: track.room.room,
      isRoomNew: false)
  }

  /// The fences that a tag is in, and since when, Unix seconds.
  package func fences(of tag: Int) -> [(fence: Int, since: Double)] {
    guard tracks.indices.contains(tag) else { return [] }
    return tracks[tag].fences.compactMap { presence in presence.entered.map { (presence.fence, $0) } }
      .sorted { $0.fence < $1.fence }
  }

  /// The present reports of all tags that are heard.
  package var reports: [SiteReport] { plan.tags.indices.compactMap { report(of: $0) } }

  /// The tags in each fence, ascending.
  package var occupants: [[Int]] {
    var occupants = plan.fences.map { _ in [Int]() }
    for tag in plan.tags.indices {
      for (fence, _) in fences(of: tag) { occupants[fence].append(tag) }
    }
    return occupants
  }

  /// Tags that are present.
  package var presentCount: Int { tracks.count { $0.isPresent } }

  // MARK: Handing tags over

  /// Everything that is known about a tag, for another process with the same plan; at most 16 KiB.
  package func state(of tag: Int) -> [UInt8] {
    var coder = StateCoder()
    var track = tracks[tag]
    track.code(&coder, plan, fresh: fresh, sites: sites)
    return coder.octets
  }

  /// Continues where another process was.
  ///
  /// - Returns: Whether the octets are a state of such a tag; if not, the tag starts anew.
  package mutating func restore(_ tag: Int, from octets: [UInt8]) -> Bool {
    var coder = StateCoder(reading: octets)
    var track = TagTrack()
    track.code(&coder, plan, fresh: fresh, sites: sites)
    tracks[tag] = coder.isComplete ? track : TagTrack()
    return coder.isComplete
  }

  /// Forgets a tag that another process has, without reporting anything.
  package mutating func release(_ tag: Int) { tracks[tag] = TagTrack() }

  // MARK: Estimation

  private mutating func fuse(_ reading: SiteReading, at time: Double) -> SiteRejection? {
    switch reading.value {
    case .range(let metres, let sigma, let blocked):
      guard metres.isFinite, (-0.3...10_000).contains(metres) else { return .impossible }
      let reason = solve(reading.tag, .range(to: reading.receiver), metres, sigma, blocked, at: time)
      guard reason == nil else { return reason }
      tracks[reading.tag].note(reading.receiver, metres: max(metres, 0), sigma: sigma, at: time)
    case .difference(let from, let metres, let sigma):
      guard plan.receivers.indices.contains(from) else { return .unknownReceiver }
      return solve(
        reading.tag, .difference(from: from, to: reading.receiver), metres, sigma, nil, at: time)
    case .loudness(let rssi, let power):
      return hear(reading.tag, reading.receiver, rssi: rssi, power: power, at: time)
    }
    return nil
  }

  private mutating func solve(
    _ tag: Int, _ kind: PositionMeasurement.Kind, _ metres: Double, _ sigma: Double?,
    _ blocked: Double?, at time: Double
  ) -> SiteRejection? {
    guard fresh != nil else { return nil }
    if tracks[tag].solver == nil { tracks[tag].solver = fresh }
    let measurement = PositionMeasurement(
      time: time, kind: kind, metres: metres, sigma: sigma, blockedProbability: blocked)
    switch tracks[tag].solver?.add(measurement) {
    case .used, .collected, nil:
      tracks[tag].latestRanging = time
      return nil
    case .rejected(.disagrees): return .disagrees
    case .rejected(.unknownAnchor): return .unknownReceiver
    case .rejected(.outOfOrder), .rejected(.clock): return .late
    case .rejected(.notFinite), .rejected(.sameAnchor), .rejected(.impossible): return .impossible
    }
  }

  private mutating func hear(
    _ tag: Int, _ receiver: Int, rssi: Double, power: Double?, at time: Double
  ) -> SiteRejection? {
    let power = power ?? plan.tags[tag].measuredPower ?? Double(IBeacon.usualMeasuredPower)
    // Receivers write 0 and 127 for "unknown".
    guard rssi.isFinite, (-120...20).contains(rssi), rssi != 0, (-120...20).contains(power) else {
      return .impossible
    }
    let loss = power - rssi - plan.receivers[receiver].offset
    if tracks[tag].beacon?.isObsolete(for: receiver, loss: loss, at: time) ?? true {
      tracks[tag].beacon = BeaconSpot(
        sites, power: power, seed: StableHash.of(plan.tags[tag].id), receiver: receiver, at: time)
    }
    let distance = tracks[tag].beacon?.add(receiver: receiver, loss: loss, at: time)
    tracks[tag].latestLoudness = time
    if let distance {
      tracks[tag].note(receiver, metres: distance.distance, sigma: distance.sigma, at: time)
    }
    return nil
  }

  // MARK: Rooms and fences

  private mutating func evaluate(_ tag: Int, at time: Double, _ outputs: inout [SiteOutput]) {
    tracks[tag].lastEvaluation = time
    tracks[tag].position = located(tag, at: time)
    let isRoomNew = chooseRoom(of: tag, at: time)
    if let position = tracks[tag].position { watchFences(of: tag, position, at: time, &outputs) }
    guard isRoomNew || time - tracks[tag].lastReport >= plan.interval else { return }
    tracks[tag].lastReport = time
    let track = tracks[tag]
    outputs.append(
      .report(
        SiteReport(
          tag: tag, time: time, position: track.position, nearest: track.nearest, room: track.room.room,
          isRoomNew: isRoomNew)))
  }

  /// The position from the better of the tag's estimators.
  private func located(_ tag: Int, at time: Double) -> SitePosition? {
    let track = tracks[tag]
    if time - track.latestRanging <= Self.preference, let estimate = track.solver?.estimate(at: time),
      let position = estimate.position
    {
      let columns = estimate.columns
      let floor = estimate.floor.flatMap { Int(exactly: $0.number) } ?? track.position?.floor
      return SitePosition(
        position: position, velocity: estimate.velocity,
        covariance: (
          columns.0.x, columns.1.y, columns.2.z, columns.1.x, columns.2.x, columns.2.y
        ), floor: floor ?? nearestFloor(track), source: .ultraWideband, time: time)
    }
    guard let spread = track.beacon?.spread(), time - track.latestLoudness <= plan.silence else { return nil }
    let floor = nearestFloor(track)
    // Carried at about 1.3 m.
    let place = SIMD3(spread.position.x, spread.position.y, plan.level(of: floor) + 1.3)
    return SitePosition(
      position: place, velocity: nil, covariance: (spread.xx, spread.yy, 0.5, spread.xy, 0, 0),
      floor: floor, source: .beacon, time: time)
  }

  private func nearestFloor(_ track: TagTrack) -> Int {
    track.nearest.map { plan.receivers[$0.receiver].floor } ?? 0
  }

  /// - Returns: Whether the room is another one than before.
  private mutating func chooseRoom(of tag: Int, at time: Double) -> Bool {
    guard let position = tracks[tag].position else {
      guard let nearest = tracks[tag].nearest else { return false }
      // Without a position, the room of the nearest receiver.
      let room = plan.receivers[nearest.receiver].room
      return tracks[tag].room.update((room, 0.5), own: 0, at: time)
    }
    var best: (room: Int?, probability: Double) = (nil, 0)
    var sum = 0.0
    var own = 0.0
    for (index, room) in plan.rooms.enumerated() where room.floor == position.floor {
      let probability = room.outline.probability(of: position, blur: Self.wall)
      sum += probability
      if index == tracks[tag].room.room { own = probability }
      if probability > best.probability { best = (index, probability) }
    }
    let outside = max(1 - sum, 0)
    if tracks[tag].room.room == nil { own = outside }
    if outside > best.probability { best = (nil, outside) }
    return tracks[tag].room.update(best, own: own, at: time)
  }

  private mutating func watchFences(
    of tag: Int, _ position: SitePosition, at time: Double, _ outputs: inout [SiteOutput]
  ) {
    for (index, fence) in plan.fences.enumerated() {
      let probability = fence.floor == position.floor ? fence.outline.probability(of: position) : 0
      guard let slot = tracks[tag].fences.firstIndex(where: { $0.fence == index }) else {
        guard probability >= FencePresence.likely, tracks[tag].fences.count < TagTrack.mostFences else {
          continue
        }
        tracks[tag].fences.append(FencePresence(fence: index, at: time))
        if fence.enterDelay == 0 {
          update(tag, slot: tracks[tag].fences.count - 1, probability, time, &outputs)
        }
        continue
      }
      update(tag, slot: slot, probability, time, &outputs)
    }
  }

  private mutating func update(
    _ tag: Int, slot: Int, _ probability: Double, _ time: Double, _ outputs: inout [SiteOutput]
  ) {
    let fence = tracks[tag].fences[slot].fence
    func event(_ kind: SiteFenceEvent.Kind, _ seconds: Double) -> SiteOutput {
      .fence(
        SiteFenceEvent(
          kind: kind, tag: tag, fence: fence, time: time, seconds: seconds, position: tracks[tag].position))
    }
    switch tracks[tag].fences[slot].update(probability, plan.fences[fence], at: time) {
    case .none: break
    case .entered: outputs.append(event(.enter, 0))
    case .dwelt(let seconds): outputs.append(event(.dwell, seconds))
    case .left(let seconds):
      outputs.append(event(.exit, seconds))
      tracks[tag].fences.remove(at: slot)
    case .dropped: tracks[tag].fences.remove(at: slot)
    }
  }

  /// A silent tag is in no fence and in no room.
  private mutating func leave(_ tag: Int, at now: Double, _ outputs: inout [SiteOutput]) {
    for (fence, since) in fences(of: tag) {
      outputs.append(
        .fence(
          SiteFenceEvent(
            kind: .exit, tag: tag, fence: fence, time: now, seconds: max(now - since, 0), position: nil)))
    }
    outputs.append(.vanished(tag: tag, time: now))
    tracks[tag] = TagTrack(continuing: tracks[tag])
  }
}
