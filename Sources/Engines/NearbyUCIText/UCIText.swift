import NearbyTextForms
import NearbyUCIMessages

/// Describes a UCI message for people, as `key=value` words.
package enum UCIText {
  /// The message's fields; empty if it has none.
  package static func words(of message: UCIMessage) -> String {
    let words =
      switch message {
      case .command(let command): words(of: command)
      case .response(let response): words(of: response)
      case .notification(let notification): words(of: notification)
      case .data(let data): words(of: data)
      }
    return words.joined(separator: " ")
  }

  private static func words(of command: UCICommand) -> [String] {
    switch command {
    case .deviceReset(let configuration): ["configuration=\(configuration)"]
    case .getDeviceInfo, .getCapabilities, .deviceSuspend, .queryTimestamp, .getSessionCount,
      .getPowerStatistics:
      []
    case .setDeviceConfiguration(let list): list.map(deviceParameter)
    case .getDeviceConfiguration(let ids): [ids.isEmpty ? "all" : "ids=\(hex(ids))"]
    case .sessionInit(let id, let type): [number("id", id), "type=\(type)"]
    case .sessionDeinit(let session), .getSessionState(let session), .queryDataSize(let session),
      .sessionStart(let session), .sessionStop(let session), .getRangingCount(let session):
      [self.session(session)]
    case .setAppConfiguration(let session, let list): [self.session(session)] + list.map(appParameter)
    case .getAppConfiguration(let session, let ids):
      [self.session(session), ids.isEmpty ? "all" : "ids=\(hex(ids))"]
    case .updateMulticastList(let session, let action, let controlees):
      [self.session(session), "action=\(action)"]
        + controlees.map { "\(address(.short($0.address)))=subSession:\($0.subSessionID)" }
    case .updateDTAnchorRounds(let session, let rounds): [self.session(session)] + rounds.map(round)
    case .setInitiatorAnchorRounds(let session, let rounds):
      [self.session(session)] + rounds.map { "round=\($0.round)" + responders($0.responders) }
    case .updateDTTagRounds(let session, let rounds): [self.session(session), "rounds=\(hex(rounds))"]
    case .setHybridControllerPhases(let session, let schedule):
      [self.session(session)] + schedule.phases.map(phase)
    case .setHybridControleePhases(let session, let phases):
      [self.session(session)] + phases.map { number("phase", $0.rawValue) }
    case .configureDataTransferPhase(let session, let repetition, let control, let entries):
      [self.session(session), "repetition=\(repetition)", "control=\(control)"] + entries.map(entry)
    case .setCountryCode(let letters): ["country=\(hex(letters))"]
    case .unknown(_, _, let payload): [octets(payload)]
    }
  }

  private static func words(of response: UCIResponse) -> [String] {
    switch response {
    case .deviceReset(let status), .sessionDeinit(let status), .configureDataTransferPhase(let status),
      .sessionStart(let status), .sessionStop(let status), .deviceSuspend(let status),
      .setHybridControllerPhases(let status), .setHybridControleePhases(let status),
      .setCountryCode(let status), .bareStatus(_, _, let status):
      [self.status(status)]
    case .deviceInfo(let status, let info):
      [self.status(status)]
        + (info.map { ["uci=\($0.uci)", "mac=\($0.mac)", "phy=\($0.phy)", "test=\($0.test)"] } ?? [])
        + (info.map { $0.vendor.isEmpty ? [] : ["vendor=\(hex($0.vendor))"] } ?? [])
    case .capabilities(let status, let list):
      [self.status(status)] + list.map { "\(id($0.id))=\(hex($0.value))" }
    case .setDeviceConfiguration(let status, let refused), .setAppConfiguration(let status, let refused):
      [self.status(status)] + refused.map { "\(id($0.id))=\($0.status)" }
    case .deviceConfiguration(let status, let list): [self.status(status)] + list.map(deviceParameter)
    case .appConfiguration(let status, let list): [self.status(status)] + list.map(appParameter)
    case .timestamp(let status, let microseconds): [self.status(status), "time=\(microseconds)us"]
    case .sessionInit(let status, let handle):
      [self.status(status)] + (handle.map { [number("handle", $0.rawValue)] } ?? [])
    case .sessionCount(let status, let count): [self.status(status), "count=\(count)"]
    case .sessionState(let status, let state): [self.status(status), "state=\(state)"]
    case .updateMulticastList(let status, let controlees):
      [self.status(status)] + controlees.map(controlee)
    case .updateDTAnchorRounds(let status, let failed), .updateDTTagRounds(let status, let failed),
      .setInitiatorAnchorRounds(let status, let failed):
      [self.status(status)] + (failed.isEmpty ? [] : ["failed=\(hex(failed))"])
    case .dataSize(let session, let status, let maximum):
      [self.session(session), self.status(status), "maximum=\(maximum)"]
    case .rangingCount(let status, let count): [self.status(status), "count=\(count)"]
    case .powerStatistics(let status, let statistics):
      [
        self.status(status), "idle=\(statistics.idleMilliseconds)ms",
        "transmit=\(statistics.transmitMilliseconds)ms", "receive=\(statistics.receiveMilliseconds)ms",
        "wakes=\(statistics.wakes)",
      ]
    case .unknown(_, _, let payload): [octets(payload)]
    }
  }

  private static func words(of notification: UCINotification) -> [String] {
    switch notification {
    case .deviceStatus(let state): ["state=\(state)"]
    case .genericError(let status): [self.status(status)]
    case .sessionStatus(let session, let state, let reason):
      [self.session(session), "state=\(state)", "reason=\(reason)"]
    case .multicastList(let session, let remaining, let controlees):
      [self.session(session)] + (remaining.map { ["remaining=\($0)"] } ?? []) + controlees.map(controlee)
    case .dataTransferPhase(let session, let status): [self.session(session), "status=\(status)"]
    case .sessionInfo(let info):
      [session(info.token), "round=\(info.sequence)", "interval=\(info.intervalMilliseconds)ms"]
        + words(of: info.measurements)
    case .dataCredit(let session, let isAvailable): [self.session(session), "credit=\(isAvailable ? 1 : 0)"]
    case .dataTransferStatus(let session, let sequence, let status, let transmissions):
      [self.session(session), "sequence=\(sequence)", "status=\(status)", "transmissions=\(transmissions)"]
    case .rangeDiagnostics(let diagnostics):
      [session(diagnostics.token), "round=\(diagnostics.sequence)"] + diagnostics.reports.map(report)
    case .unknown(_, _, let payload): [octets(payload)]
    }
  }

  private static func words(of data: UCIDataMessage) -> [String] {
    switch data {
    case .send(let session, let destination, let sequence, let data):
      [self.session(session), number("to", destination), "sequence=\(sequence)", octets(data)]
    case .received(let session, let status, let source, let sequence, let data):
      [
        self.session(session), self.status(status), number("from", source), "sequence=\(sequence)",
        octets(data),
      ]
    case .unknown(let format, let payload): ["format=\(format)", octets(payload)]
    }
  }

  // MARK: Lists

  private static func round(_ round: UCIAnchorRound) -> String {
    switch round {
    case .responder(let index): "round=\(index),responder"
    case .initiator(let index, let list): "round=\(index),initiator" + responders(list)
    }
  }

  private static func responders(_ list: UCIAnchorResponders) -> String {
    let slots = list.slots.map { ",slots:\(hex($0))" } ?? ""
    return list.addresses.map { ",\(address($0))" }.joined() + slots
  }

  private static func phase(_ phase: UCIHybridPhase) -> String {
    number("phase", phase.token.rawValue)
      + ",slots:\(phase.startSlot)-\(phase.endSlot),\(address(phase.address))"
  }

  private static func entry(_ entry: UCITransferPhaseEntry) -> String {
    "\(address(entry.address))=slots:\(hex(entry.slotBitmap))" + (entry.stop.map { ",stop:\($0)" } ?? "")
  }

  private static func report(_ report: UCIFrameReport) -> String {
    let fields = report.fields.map { field in
      switch field {
      case .rssi(let octets): "rssi:" + octets.map { "\(-Double($0) / 2)" }.joined(separator: "/")
      case .angles(let list):
        list.map { ($0.axis == 0 ? "azimuth:" : "elevation:") + NumberFormat.fixed($0.angle.degrees, 1) }
          .joined(separator: ",")
      case .other(let type, let octets): "\(type):\(hex(octets))"
      }
    }
    return "frame=\(report.messageID)," + fields.joined(separator: ",")
  }

  // MARK: Measurements

  private static func words(of measurements: UCIMeasurements) -> [String] {
    switch measurements {
    case .twoWay(let list, _): list.flatMap(words)
    case .oneWayAngle(let list, _):
      list.flatMap {
        ["peer=\(address($0.address))", status($0.status)] + angle("azimuth", $0.azimuth)
          + angle("elevation", $0.elevation)
      }
    case .downlinkTDoA(let list, _): ["anchors=\(list.count)"]
    case .unknown(let type, _, let payload): ["type=\(type)", octets(payload)]
    }
  }

  private static func words(of measurement: UCITwoWayMeasurement) -> [String] {
    var words = ["peer=\(address(measurement.address))", status(measurement.status)]
    guard let metres = measurement.distanceMetres else { return words + ["slot=\(measurement.slotIndex)"] }
    words.append("distance=\(NumberFormat.fixed(metres, 2))m")
    words += angle("azimuth", measurement.azimuth) + angle("elevation", measurement.elevation)
    words.append("nlos=\(measurement.nonLineOfSight)")
    if let rssi = measurement.rssiDBm { words.append("rssi=\(NumberFormat.fixed(rssi, 1))dBm") }
    return words
  }

  private static func angle(_ key: String, _ angle: UCIAngle) -> [String] {
    guard angle.figureOfMerit > 0 else { return [] }
    return ["\(key)=\(NumberFormat.fixed(angle.degrees, 1))°(\(angle.figureOfMerit)%)"]
  }

  // MARK: Values

  private static func status(_ status: UCIStatus) -> String { "status=\(status)" }
  private static func session(_ session: UCISessionToken) -> String { number("session", session.rawValue) }

  private static func number(_ key: String, _ value: some FixedWidthInteger) -> String {
    "\(key)=0x\(String(value, radix: 16))"
  }

  private static func id(_ id: UInt8) -> String { "0x" + hex([id]) }
  private static func octets(_ payload: [UInt8]) -> String { "octets=\(hex(payload))" }

  private static func address(_ address: UCIAddress) -> String {
    switch address {
    case .short(let value): "0x" + String(value, radix: 16)
    case .extended(let value): "0x" + String(value, radix: 16)
    }
  }

  private static func controlee(_ status: UCIControleeStatus) -> String {
    "\(address(.short(status.address)))=\(status.status)"
  }

  private static func appParameter(_ tlv: UCITLV) -> String {
    "\(UCIAppParameter.name(of: tlv.id))=\(value(tlv.value))"
  }

  private static func deviceParameter(_ tlv: UCITLV) -> String { "\(id(tlv.id))=\(value(tlv.value))" }

  /// Up to four octets are shown as a little-endian number, anything longer as hexadecimal.
  private static func value(_ octets: [UInt8]) -> String {
    guard (1...4).contains(octets.count) else { return hex(octets) }
    return "\(octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })"
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Two lower-case digits for each octet.
  package static func hex(_ octets: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(octets.count * 2)
    for octet in octets {
      text.append(digits[Int(octet >> 4)])
      text.append(digits[Int(octet & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
