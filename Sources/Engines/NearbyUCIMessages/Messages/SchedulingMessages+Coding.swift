import NearbyOctets

extension UCICursor {
  /// count u8, count × (address 2 or 8, slot bitmap, and in today's form a stop octet).
  ///
  /// The count is one of entries; the number of octets after it shows whether they end with the stop octet.
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

  /// count u8, count × (round u8, role u8, and for an initiator its responders).
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

  /// count u8, count × (round u8, responders).
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

  /// count u8, addresses, flag u8, and with a flag of 1 as many slots.
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

  /// Reads a payload whose address size only the session knows: 2 octets, or 8 where those do not fit.
  ///
  /// - Throws: What is wrong with the reading in 2 octets, when neither fits.
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

  /// The phases of a hybrid session, in either form.
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

  /// message control u8, count u8, update time u64, count × phase with addresses of one size.
  private mutating func takeEarlyHybridSchedule() throws(UCIError) -> UCIHybridSchedule {
    let messageControl = try takeUInt8(.control)
    let count = UInt16(try takeUInt8(.count))
    let head = UCIHybridSchedule.EarlyHead(
      messageControl: messageControl, updateTime: try takeUInt64(.timestamp))
    let isExtended = left == Int(count) * 17
    return UCIHybridSchedule(phases: try takeHybridPhases(count) { _ in isExtended }, earlyHead: head)
  }

  /// count × (token u32, start u16, end u16, control u8, address).
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

  /// count u8, count × token u32.
  mutating func takeTokens() throws(UCIError) -> [UCISessionToken] {
    try takeList(atLeast: 4, .phaseEntry) { (input) throws(UCIError) in
      UCISessionToken(try input.takeUInt32(.phaseEntry))
    }
  }
}

extension Array where Element == UInt8 {
  /// Appends a count and entries; bitmaps are cut or filled with zeros to the size that `control` says.
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

  /// Appends responders; those past 255 are left out, a missing slot is 0.
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
