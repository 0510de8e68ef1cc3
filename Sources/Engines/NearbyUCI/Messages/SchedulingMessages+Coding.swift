import NearbyOctets

extension UCICursor {
  /// Layout: count u8, then `count` × (address of 2 or 8 octets, slot bitmap, stop u8).
  ///
  /// The variant of Android 15 has no stop octet. The number of octets left shows which variant it is.
  mutating func takeTransferPhaseEntries(control: UInt8) throws(UCIError) -> [UCITransferPhaseEntry] {
    let count = UInt16(try takeUInt8(.listSize))
    let isExtended = UCITransferPhaseEntry.hasExtendedAddresses(control: control)
    let bitmapSize = UCITransferPhaseEntry.bitmapSize(control: control)
    let size = (isExtended ? 8 : 2) + bitmapSize
    let hasStop = left != Int(count) * size
    return try takeArray(of: count, atLeast: size + (hasStop ? 1 : 0), .phaseEntry) {
      (input) throws(UCIError) in
      UCITransferPhaseEntry(
        address: try input.takeAddress(isExtended: isExtended, .phaseEntry),
        slotBitmap: try input.takeOctets(bitmapSize, .phaseEntry),
        stop: hasStop ? try input.takeUInt8(.phaseEntry) : nil)
    }
  }

  /// Layout: count u8, then `count` × (round u8, role u8, and for an initiator its responders).
  mutating func takeAnchorRounds() throws(UCIError) -> [UCIAnchorRound] {
    try takeWithEitherAddress { (input: inout UCICursor, isExtended: Bool) throws(UCIError) in
      let rounds = try input.takeList(atLeast: 2, .roundIndex) { (input) throws(UCIError) in
        let round = try input.takeUInt8(.roundIndex)
        switch try input.takeUInt8(.role) {
        case 0: return UCIAnchorRound.responder(round: round)
        case 1: return .initiator(round: round, try input.takeAnchorResponders(isExtended))
        case let role: throw .unsupported(.role, value: role)
        }
      }
      try input.requireEnd()
      return rounds
    }
  }

  /// Layout: count u8, then `count` × (round u8, responders).
  mutating func takeAnchorRoundResponders() throws(UCIError) -> [UCIAnchorRoundResponders] {
    try takeWithEitherAddress { (input: inout UCICursor, isExtended: Bool) throws(UCIError) in
      let list = try input.takeList(atLeast: 3, .roundIndex) { (input) throws(UCIError) in
        UCIAnchorRoundResponders(
          round: try input.takeUInt8(.roundIndex), responders: try input.takeAnchorResponders(isExtended))
      }
      try input.requireEnd()
      return list
    }
  }

  /// Layout: count u8, addresses, flag u8, and if the flag is 1, one slot (u8) for each address.
  private mutating func takeAnchorResponders(_ isExtended: Bool) throws(UCIError) -> UCIAnchorResponders {
    let count = UInt16(try takeUInt8(.responders))
    let addresses = try takeArray(of: count, atLeast: isExtended ? 8 : 2, .responders) {
      (input) throws(UCIError) in try input.takeAddress(isExtended: isExtended, .responders)
    }
    switch try takeUInt8(.responders) {
    case 0: return UCIAnchorResponders(addresses: addresses)
    case 1: return UCIAnchorResponders(addresses: addresses, slots: try takeOctets(Int(count), .responders))
    case let flag: throw .unsupported(.responders, value: flag)
    }
  }

  /// Parses a payload whose address size only the session knows: tries 2 octets first, then 8.
  ///
  /// - Throws: The error of the attempt with 2 octets, if neither succeeds.
  private mutating func takeWithEitherAddress<Value>(
    _ body: (inout UCICursor, Bool) throws(UCIError) -> Value
  ) throws(UCIError) -> Value {
    let start = self
    do throws(UCIError) {
      return try body(&self, false)
    } catch {
      var again = start
      guard let value = try? body(&again, true) else { throw error }
      self = again
      return value
    }
  }

  /// Parses the phases of a hybrid session: the current layout first, then that of Android 15.
  ///
  /// Layout: count u8, then `count` × phase. Bit 0 of each phase's control octet gives its address size.
  mutating func takeHybridSchedule() throws(UCIError) -> UCIHybridSchedule {
    let start = self
    do throws(UCIError) {
      let count = UInt16(try takeUInt8(.count))
      return UCIHybridSchedule(phases: try takeHybridPhases(count) { $0 & 0x01 != 0 })
    } catch {
      var again = start
      guard let schedule = try? again.takeEarlyHybridSchedule() else { throw error }
      self = again
      return schedule
    }
  }

  /// The layout of Android 15: message control u8, count u8, update time u64, then `count` × phase. All
  /// addresses have the same size, which follows from the number of octets left.
  private mutating func takeEarlyHybridSchedule() throws(UCIError) -> UCIHybridSchedule {
    let messageControl = try takeUInt8(.control)
    let count = UInt16(try takeUInt8(.count))
    let head = UCIHybridSchedule.EarlyHead(
      messageControl: messageControl, updateTime: try takeUInt64(.timestamp))
    let isExtended = left == Int(count) * 17
    return UCIHybridSchedule(phases: try takeHybridPhases(count) { _ in isExtended }, earlyHead: head)
  }

  /// Layout: `count` × (token u32, start slot u16, end slot u16, control u8, address of 2 or 8 octets).
  private mutating func takeHybridPhases(
    _ count: UInt16, isExtended: (UInt8) -> Bool
  ) throws(UCIError) -> [UCIHybridPhase] {
    let phases = try takeArray(of: count, atLeast: 11, .phaseEntry) { (input) throws(UCIError) in
      let token = UCISessionToken(try input.takeUInt32(.phaseEntry))
      let startSlot = try input.takeUInt16(.phaseEntry)
      let endSlot = try input.takeUInt16(.phaseEntry)
      let control = try input.takeUInt8(.phaseEntry)
      let address = try input.takeAddress(isExtended: isExtended(control), .phaseEntry)
      return UCIHybridPhase(
        token: token, startSlot: startSlot, endSlot: endSlot, control: control, address: address)
    }
    try requireEnd()
    return phases
  }

  /// Layout: count u8, then `count` × token u32.
  mutating func takeTokens() throws(UCIError) -> [UCISessionToken] {
    try takeList(atLeast: 4, .phaseEntry) { (input) throws(UCIError) in
      UCISessionToken(try input.takeUInt32(.phaseEntry))
    }
  }
}

extension Array where Element == UInt8 {
  /// Appends a count and the entries. Bitmaps are truncated or zero-padded to the size that `control`
  /// gives.
  mutating func append(_ entries: [UCITransferPhaseEntry], control: UInt8) {
    let size = UCITransferPhaseEntry.bitmapSize(control: control)
    let isExtended = UCITransferPhaseEntry.hasExtendedAddresses(control: control)
    append(list: entries) {
      $0.append($1.address, isExtended: isExtended)
      $0.append($1.slotBitmap, filledTo: size)
      if let stop = $1.stop { $0.append(stop) }
    }
  }

  mutating func append(_ rounds: [UCIAnchorRound]) {
    append(list: rounds) {
      switch $1 {
      case .responder(let index): $0 += [index, 0]
      case .initiator(let index, let responders):
        $0 += [index, 1]
        $0.append(responders)
      }
    }
  }

  mutating func append(_ rounds: [UCIAnchorRoundResponders]) {
    append(list: rounds) {
      $0.append($1.round)
      $0.append($1.responders)
    }
  }

  /// Appends the responders. Those past 255 are left out, and a missing slot becomes 0.
  private mutating func append(_ responders: UCIAnchorResponders) {
    append(list: responders.addresses) { $0 += $1.octets }
    append(responders.slots == nil ? 0 : 1)
    if let slots = responders.slots { append(slots, filledTo: Swift.min(responders.addresses.count, 255)) }
  }

  mutating func append(_ schedule: UCIHybridSchedule) {
    if let head = schedule.earlyHead { append(head.messageControl) }
    append(UInt8(clamping: schedule.phases.count))
    if let head = schedule.earlyHead { append(littleEndian: head.updateTime) }
    for phase in schedule.phases.prefix(255) {
      append(phase.token)
      append(littleEndian: phase.startSlot)
      append(littleEndian: phase.endSlot)
      append(phase.control)
      append(contentsOf: phase.address.octets)
    }
  }

  mutating func append(_ tokens: [UCISessionToken]) {
    append(list: tokens) { $0.append($1) }
  }
}
