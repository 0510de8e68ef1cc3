extension Span where Element == UInt8 {
  /// count u8, count × (address 2 or 8, slot bitmap, and in today's form a stop octet).
  ///
  /// The count is one of entries; the number of octets after it shows whether they end with the stop octet.
  mutating func takeTransferPhaseEntries(control: UInt8) throws(UCIError) -> [UCITransferPhaseEntry] {
    let count = Int(try takeUInt8(.listSize))
    let isExtended = UCITransferPhaseEntry.hasExtendedAddresses(control: control)
    let bitmapSize = UCITransferPhaseEntry.bitmapSize(control: control)
    let size = (isExtended ? 8 : 2) + bitmapSize
    let hasStop = self.count != count * size
    try require(count * (size + (hasStop ? 1 : 0)), .phaseEntry)
    var result: [UCITransferPhaseEntry] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let address = try takeAddress(isExtended: isExtended, .phaseEntry)
      let bitmap = try takeOctets(bitmapSize, .phaseEntry)
      let stop = hasStop ? try takeUInt8(.phaseEntry) : nil
      result.append(UCITransferPhaseEntry(address: address, slotBitmap: bitmap, stop: stop))
    }
    return result
  }

  /// count u8, count × (round u8, role u8, and for an initiator its responders).
  mutating func takeAnchorRounds() throws(UCIError) -> [UCIAnchorRound] {
    try takeWithEitherAddress { (input: inout Span<UInt8>, isExtended: Bool) throws(UCIError) in
      let count = Int(try input.takeUInt8(.count))
      try input.require(2 * count, .roundIndex)
      var rounds: [UCIAnchorRound] = []
      rounds.reserveCapacity(count)
      for _ in 0..<count {
        let round = try input.takeUInt8(.roundIndex)
        switch try input.takeUInt8(.role) {
        case 0: rounds.append(.responder(round: round))
        case 1: rounds.append(.initiator(round: round, try input.takeAnchorResponders(isExtended)))
        case let role: throw .unsupported(.role, value: role)
        }
      }
      try input.requireEnd()
      return rounds
    }
  }

  /// count u8, count × (round u8, responders).
  mutating func takeAnchorRoundResponders() throws(UCIError) -> [UCIAnchorRoundResponders] {
    try takeWithEitherAddress { (input: inout Span<UInt8>, isExtended: Bool) throws(UCIError) in
      let count = Int(try input.takeUInt8(.count))
      try input.require(3 * count, .roundIndex)
      var list: [UCIAnchorRoundResponders] = []
      list.reserveCapacity(count)
      for _ in 0..<count {
        let round = try input.takeUInt8(.roundIndex)
        let responders = try input.takeAnchorResponders(isExtended)
        list.append(UCIAnchorRoundResponders(round: round, responders: responders))
      }
      try input.requireEnd()
      return list
    }
  }

  /// count u8, addresses, flag u8, and with a flag of 1 as many slots.
  private mutating func takeAnchorResponders(_ isExtended: Bool) throws(UCIError) -> UCIAnchorResponders {
    let count = Int(try takeUInt8(.responders))
    try require(count * (isExtended ? 8 : 2), .responders)
    var addresses: [UCIAddress] = []
    addresses.reserveCapacity(count)
    for _ in 0..<count { addresses.append(try takeAddress(isExtended: isExtended, .responders)) }
    switch try takeUInt8(.responders) {
    case 0: return UCIAnchorResponders(addresses: addresses)
    case 1: return UCIAnchorResponders(addresses: addresses, slots: try takeOctets(count, .responders))
    case let flag: throw .unsupported(.responders, value: flag)
    }
  }

  /// Reads a payload whose address size only the session knows: 2 octets, or 8 where those do not fit.
  ///
  /// - Throws: What is wrong with the reading in 2 octets, when neither fits.
  private mutating func takeWithEitherAddress<Value>(
    _ body: (inout Span<UInt8>, Bool) throws(UCIError) -> Value
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
      let count = Int(try takeUInt8(.count))
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
    let count = Int(try takeUInt8(.count))
    let head = UCIHybridSchedule.EarlyHead(
      messageControl: messageControl, updateTime: try takeUInt64(.timestamp))
    let isExtended = self.count == count * 17
    return UCIHybridSchedule(phases: try takeHybridPhases(count) { _ in isExtended }, earlyHead: head)
  }

  /// count × (token u32, start u16, end u16, control u8, address).
  private mutating func takeHybridPhases(
    _ count: Int, isExtended: (UInt8) -> Bool
  ) throws(UCIError) -> [UCIHybridPhase] {
    try require(count * 11, .phaseEntry)
    var phases: [UCIHybridPhase] = []
    phases.reserveCapacity(count)
    for _ in 0..<count {
      let token = UCISessionToken(try takeUInt32(.phaseEntry))
      let startSlot = try takeUInt16(.phaseEntry)
      let endSlot = try takeUInt16(.phaseEntry)
      let control = try takeUInt8(.phaseEntry)
      let address = try takeAddress(isExtended: isExtended(control), .phaseEntry)
      phases.append(
        UCIHybridPhase(
          token: token, startSlot: startSlot, endSlot: endSlot, control: control, address: address))
    }
    try requireEnd()
    return phases
  }

  /// count u8, count × token u32.
  mutating func takeTokens() throws(UCIError) -> [UCISessionToken] {
    let count = Int(try takeUInt8(.count))
    try require(4 * count, .phaseEntry)
    var tokens: [UCISessionToken] = []
    tokens.reserveCapacity(count)
    for _ in 0..<count { tokens.append(UCISessionToken(try takeUInt32(.phaseEntry))) }
    return tokens
  }
}

extension Array where Element == UInt8 {
  /// Appends a count and entries; bitmaps are cut or filled with zeros to the size that `control` says.
  mutating func append(_ entries: [UCITransferPhaseEntry], control: UInt8) {
    let size = UCITransferPhaseEntry.bitmapSize(control: control)
    let isExtended = UCITransferPhaseEntry.hasExtendedAddresses(control: control)
    append(UInt8(clamping: entries.count))
    for entry in entries.prefix(255) {
      append(entry.address, isExtended: isExtended)
      append(contentsOf: entry.slotBitmap.prefix(size))
      append(contentsOf: repeatElement(0, count: Swift.max(0, size - entry.slotBitmap.count)))
      if let stop = entry.stop { append(stop) }
    }
  }

  mutating func append(_ rounds: [UCIAnchorRound]) {
    append(UInt8(clamping: rounds.count))
    for round in rounds.prefix(255) {
      switch round {
      case .responder(let index): append(contentsOf: [index, 0])
      case .initiator(let index, let responders):
        append(contentsOf: [index, 1])
        append(responders)
      }
    }
  }

  mutating func append(_ rounds: [UCIAnchorRoundResponders]) {
    append(UInt8(clamping: rounds.count))
    for entry in rounds.prefix(255) {
      append(entry.round)
      append(entry.responders)
    }
  }

  /// Appends responders; those past 255 are left out, a missing slot is 0.
  private mutating func append(_ responders: UCIAnchorResponders) {
    let addresses = responders.addresses.prefix(255)
    append(UInt8(clamping: addresses.count))
    for address in addresses { append(contentsOf: address.octets) }
    append(responders.slots == nil ? 0 : 1)
    guard let slots = responders.slots else { return }
    append(contentsOf: slots.prefix(addresses.count))
    append(contentsOf: repeatElement(0, count: Swift.max(0, addresses.count - slots.count)))
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
    append(UInt8(clamping: tokens.count))
    for token in tokens.prefix(255) { append(token) }
  }
}
