import NearbyUCI

/// A scripted UCI 2.0 chip: it does what it is told, or what the test wants instead.
///
/// It converts octets to octets, using only the codecs. It shares no code with the virtual chip.
package struct ScriptedChip {
  package struct Session {
    package var id: UInt32
    package var type: UCISessionType
    package var tlvs: [UCITLV] = []
    package var state = UCISessionState.initialised

    package func octets(_ parameter: UInt8) -> [UInt8]? { tlvs.last { $0.id == parameter }?.value }
  }

  // Deviations that the test sets.
  /// Status of SESSION_INIT for a session type, if it is not OK.
  package var refusedTypes: [UCISessionType: UCIStatus] = [:]
  /// Status of a command, if it is not OK.
  package var refused: [UCIMessageID: UCIStatus] = [:]
  /// Commands that get no answer.
  package var ignored: Set<UCIMessageID> = []
  /// Whether START is followed by STATUS(ACTIVE).
  package var startsSessions = true
  /// Reason of the STATUS that follows START in place of ACTIVE, after a response with OK.
  package var startReason: UCIReason?
  /// Status of a data message; with `nil` there is no answer.
  package var dataStatus: UCITransferStatus? = .ok
  package var maximumSessions = 8
  package var capabilities: [UCICapability] = [
    .number(.stsConfigurations, 0x09, size: 1), .number(.angleOfArrival, 0x0D, size: 1),
  ]

  // What it has received.
  package private(set) var sessions: [UInt32: Session] = [:]
  /// Whether it ever ignored or refused a command because the test wanted that.
  package private(set) var hasWithheld = false
  /// Every command and data message since the last `takeLog`.
  package private(set) var log: [String] = []
  private var reassembler = UCIReassembler()
  private var nextHandle: UInt32 = 0x100

  package static let dialect = UCIDialect.v2

  package init() {}

  package mutating func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// The handle of the session that was initialised last and still exists.
  package var newest: UInt32? { sessions.keys.max() }

  // MARK: Unasked

  package static func octets(_ notification: UCINotification) -> [UInt8] {
    var octets: [UInt8] = []
    UCIMessage.notification(notification).write(to: &octets, dialect: dialect)
    return octets
  }

  package mutating func fails() -> [UInt8] {
    sessions = [:]
    return Self.octets(.deviceStatus(.error))
  }

  package mutating func status(_ handle: UInt32, _ state: UCISessionState, _ reason: UCIReason) -> [UInt8] {
    sessions[handle]?.state = state
    if state == .deinitialised { sessions[handle] = nil }
    return Self.octets(.sessionStatus(UCISessionToken(handle), state, reason))
  }

  /// A round with the session's peer. `nil` centimetres means that the round failed.
  package func round(_ handle: UInt32, centimetres: UInt16?) -> [UInt8] {
    let destination = sessions[handle]?.octets(0x07) ?? [0, 0]
    let address = UInt16(destination[0]) | UInt16(destination[1]) << 8
    let measurement = UCITwoWayMeasurement(
      address: .short(address), status: centimetres == nil ? .rxTimeout : .ok,
      distanceCentimetres: centimetres ?? 0)
    return Self.octets(
      .sessionInfo(
        UCISessionInfo(
          sequence: 0, token: UCISessionToken(handle), intervalMilliseconds: 150,
          measurements: .twoWay([measurement], usesExtendedAddresses: false))))
  }

  /// Data from the session's peer, or from another address.
  package func data(_ handle: UInt32, _ octets: [UInt8], from source: UInt64? = nil) -> [UInt8] {
    let destination = sessions[handle]?.octets(0x07) ?? [0, 0]
    let address = source ?? UInt64(destination[0]) | UInt64(destination[1]) << 8
    let message = UCIDataMessage.received(
      UCISessionToken(handle), .ok, source: address, sequence: 1, octets)
    var result: [UInt8] = []
    UCIMessage.data(message).write(to: &result, dialect: Self.dialect)
    return result
  }

  // MARK: Asked

  package mutating func received(_ octets: [UInt8]) -> [UInt8] {
    var answers: [UCIMessage] = []
    for output in reassembler.received(octets) {
      guard case .message(let raw) = output, let message = try? UCIMessage(raw, dialect: Self.dialect)
      else {
        log.append("unreadable")
        continue
      }
      switch message {
      case .command(let command): handleCommand(command, &answers)
      case .data(.send(let token, let destination, let sequence, let octets)):
        log.append("DATA \(octets) to \(destination)")
        if let dataStatus {
          answers.append(
            .notification(.dataTransferStatus(token, sequence: sequence, dataStatus, transmissions: 1)))
        }
      case .data, .response, .notification: log.append("misplaced")
      }
    }
    var result: [UInt8] = []
    for answer in answers { answer.write(to: &result, dialect: Self.dialect) }
    return result
  }

  private mutating func handleCommand(_ command: UCICommand, _ answers: inout [UCIMessage]) {
    log.append(name(command))
    hasWithheld = hasWithheld || ignored.contains(command.id) || refused[command.id] != nil
    guard !ignored.contains(command.id) else { return }
    if let status = refused[command.id] {
      answers.append(
        .response(.bareStatus(group: command.id.group, opcode: command.id.opcode, status)))
      return
    }
    let version = UCIVersion(major: 2, minor: 0)
    switch command {
    case .deviceReset:
      sessions = [:]
      answers += [.response(.deviceReset(.ok)), .notification(.deviceStatus(.ready))]
    case .getDeviceInfo:
      let info = UCIDeviceInfo(uci: version, mac: version, phy: version, test: version)
      answers.append(.response(.deviceInfo(.ok, info)))
    case .getCapabilities:
      let tlvs = capabilities.compactMap { $0.tlv(dialect: Self.dialect) }
      answers.append(.response(.capabilities(.ok, tlvs)))
    case .sessionInit(let id, let type): initialise(id, type, &answers)
    case .setAppConfiguration(let token, let tlvs):
      sessions[token.rawValue]?.tlvs += tlvs
      answers.append(.response(.setAppConfiguration(.ok, [])))
      // DEVICE_ROLE is the last parameter to be set.
      guard tlvs.contains(where: { $0.id == 0x11 }) else { return }
      sessions[token.rawValue]?.state = .idle
      answers.append(.notification(.sessionStatus(token, .idle, .byCommand)))
    case .sessionStart(let token): start(token, &answers)
    case .sessionStop(let token):
      sessions[token.rawValue]?.state = .idle
      answers += [.response(.sessionStop(.ok)), .notification(.sessionStatus(token, .idle, .byCommand))]
    case .sessionDeinit(let token):
      let isThere = sessions.removeValue(forKey: token.rawValue) != nil
      answers.append(.response(.sessionDeinit(isThere ? .ok : .sessionDoesNotExist)))
      if isThere { answers.append(.notification(.sessionStatus(token, .deinitialised, .byCommand))) }
    default: answers.append(.response(.bareStatus(group: 0, opcode: 0, .unknownOpcode)))
    }
  }

  private mutating func initialise(
    _ id: UInt32, _ type: UCISessionType, _ answers: inout [UCIMessage]
  ) {
    func refuse(_ status: UCIStatus) { answers.append(.response(.sessionInit(status, handle: nil))) }
    if let status = refusedTypes[type] { return refuse(status) }
    guard !sessions.values.contains(where: { $0.id == id }) else { return refuse(.sessionDuplicate) }
    guard sessions.count < maximumSessions else { return refuse(.tooManySessions) }
    nextHandle += 1
    sessions[nextHandle] = Session(id: id, type: type)
    let token = UCISessionToken(nextHandle)
    answers += [
      .response(.sessionInit(.ok, handle: token)),
      .notification(.sessionStatus(token, .initialised, .byCommand)),
    ]
  }

  private mutating func start(_ token: UCISessionToken, _ answers: inout [UCIMessage]) {
    answers.append(.response(.sessionStart(.ok)))
    if let startReason {
      answers.append(.notification(.sessionStatus(token, .idle, startReason)))
    } else if startsSessions {
      sessions[token.rawValue]?.state = .active
      answers.append(.notification(.sessionStatus(token, .active, .byCommand)))
    }
  }

  private func name(_ command: UCICommand) -> String {
    switch command {
    case .deviceReset: "RESET"
    case .getDeviceInfo: "INFO"
    case .getCapabilities: "CAPS"
    case .sessionInit(_, let type): "INIT \(type.rawValue)"
    case .setAppConfiguration: "CONFIG"
    case .sessionStart: "START"
    case .sessionStop: "STOP"
    case .sessionDeinit: "DEINIT"
    default: "\(command)"
    }
  }
}
