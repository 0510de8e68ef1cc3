import NearbyUCI

/// Decodes octets in every way, and checks what must hold for each.
///
/// A crash here, or a failed precondition, is a finding: keep the octets as a golden.
func fuzzUCIDecoder(_ octets: [UInt8]) {
  for dialect in [UCIDialect.v1, .v2, .pica] {
    if let message = try? UCIMessage(packet: octets, dialect: dialect) { check(message, dialect) }
    guard octets.count >= 2 else { continue }
    let types: [UCIPacketHeader.MessageType] = [.data, .command, .response, .notification]
    let raw = UCIRawMessage(
      type: types[Int(octets[0] >> 5 & 3)], id: UCIMessageID(group: octets[0], opcode: octets[1]),
      payload: Array(octets.dropFirst(4)))
    if let message = try? UCIMessage(raw, dialect: dialect) { check(message, dialect) }
    let tlv = UCITLV(id: octets[0], value: Array(octets.dropFirst(1)))
    if let parameter = try? UCIAppParameter(tlv, dialect: dialect) {
      precondition(parameter.tlv == tlv, "a parameter is written differently than it was read")
    }
    if let capability = try? UCICapability(tlv, dialect: dialect) {
      precondition(
        capability.tlv(dialect: dialect) == tlv, "a capability is written differently than it was read")
    }
    _ = UCICapabilities(tlvs: [tlv], dialect: dialect)
  }
  var whole = UCIReassembler(maximumControlSize: 600, maximumDataSize: 600)
  var dripping = whole
  let expected = whole.received(octets)
  let found = octets.flatMap { dripping.received([$0]) }
  precondition(expected == found, "feeding octets one by one gives other messages than feeding them at once")
}

private func check(_ message: UCIMessage, _ dialect: UCIDialect) {
  let again = try? UCIMessage(message.raw(dialect: dialect), dialect: dialect)
  precondition(again == message, "a message changes when it is written and read back")
}

/// Feeds octets to a host in each of its phases, as a malicious chip.
///
/// The first octet selects the phase and the size of the pieces; the rest is what the chip sends.
func fuzzUCIHost(_ octets: [UInt8]) {
  guard let first = octets.first else { return }
  var host = UCIHost(dialect: first & 0xC0 == 0xC0 ? .pica : nil)
  var uptime = Duration.zero
  _ = host.start(at: uptime)
  if first & 1 != 0 { bringUp(&host, isSecond: first & 2 != 0) }
  if first & 4 != 0 { range(&host) }
  var rest = octets.dropFirst()
  let chunk = 1 + Int(first >> 3)
  while !rest.isEmpty {
    let actions = host.received(rest.prefix(chunk), at: uptime)
    rest = rest.dropFirst(chunk)
    precondition(actions.count <= 64 * (chunk + 4), "the number of actions exceeds its limit")
    uptime += .milliseconds(100)
    _ = host.timePassed(at: uptime)
    request(&host, at: uptime, Int(rest.first ?? 0))
  }
  _ = host.linkClosed()
  let actions = host.start(at: uptime)
  precondition(actions.first == .send([0x20, 0, 0, 1, 0]), "the host cannot be started again")
}

/// Any request that an owner may make, at any time.
private func request(_ host: inout UCIHost, at uptime: Duration, _ choice: Int) {
  let id = UInt32(choice & 3)
  switch choice >> 4 {
  case 0:
    let request = UCISessionRequest(sessionID: id, parameters: [.deviceRole(.initiator)])
    _ = host.openSession(request, at: uptime)
  case 1: _ = host.closeSession(id, at: uptime)
  case 2: _ = host.send([1, 2, 3], to: 1, session: id)
  case 3: _ = host.stopSession(id, at: uptime)
  case 4: _ = host.startSession(id, at: uptime)
  case 5: _ = host.updateControlees(id, .add, [UCIControlee(address: 1, subSessionID: 0)], at: uptime)
  case 6: _ = host.updateParameters(id, [.rangingDuration(milliseconds: 100)], at: uptime)
  default: break
  }
}

private func bringUp(_ host: inout UCIHost, isSecond: Bool) {
  let version = UCIVersion(major: isSecond ? 2 : 1, minor: 0)
  let info = UCIDeviceInfo(uci: version, mac: version, phy: version, test: version)
  say(.response(.deviceReset(.ok)), to: &host)
  say(.notification(.deviceStatus(.ready)), to: &host)
  say(.response(.deviceInfo(.ok, info)), to: &host)
  say(.response(.capabilities(.ok, [])), to: &host)
}

private func range(_ host: inout UCIHost) {
  let token = UCISessionToken(1)
  _ = host.openSession(UCISessionRequest(sessionID: 1, parameters: [.channel(.nine)]), at: .zero)
  say(.response(.sessionInit(.ok, handle: nil)), to: &host)
  say(.notification(.sessionStatus(token, .initialised, .byCommand)), to: &host)
  say(.response(.setAppConfiguration(.ok, [])), to: &host)
  say(.notification(.sessionStatus(token, .idle, .byCommand)), to: &host)
  say(.response(.sessionStart(.ok)), to: &host)
  say(.notification(.sessionStatus(token, .active, .byCommand)), to: &host)
}

private func say(_ message: UCIMessage, to host: inout UCIHost) {
  var octets: [UInt8] = []
  message.write(to: &octets, dialect: host.dialect)
  _ = host.received(octets, at: .zero)
}
