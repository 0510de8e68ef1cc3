import NearbyExchange
import NearbySchedule
import NearbyUCI

/// One UWB controller: its device state, its sessions and its responses to commands.
///
/// A pure state machine. Whatever concerns other chips is passed to the air as effects.
struct VirtualChip: Sendable {
  let configuration: VirtualChipConfiguration
  let radio: RadioID
  /// The time of power-on in nanoseconds, from which the chip's own clock counts.
  let bootTime: Int64
  var stream: HostStream
  var isPresent = true
  var sessions: [VirtualSession?] = []
  /// The radio time of sessions that have ended since power-on.
  var radioTime = RadioTime()
  /// The number of resets so far.
  private(set) var resets: UInt32 = 0
  /// Whether the air itself drives the chip as an anchor. Nobody reads its messages then.
  var isSelfHosted = false
  /// Errors of the chip as an anchor.
  var faults = AnchorFaults()
  private(set) var state = UCIDeviceState.ready
  private var lowPowerMode: UInt8 = 1
  private var nextHandle: UInt32

  init(_ configuration: VirtualChipConfiguration, radio: RadioID, at time: Int64) {
    self.configuration = configuration
    self.radio = radio
    bootTime = time
    stream = HostStream(
      maximumMessage: configuration.maximumMessageSize, dataTransfer: configuration.dialect.dataTransfer)
    // Far away from the small session ids of tests, so that a host that confuses the two fails.
    nextHandle =
      0x0100_0000 | UInt32(truncatingIfNeeded: SplitMix64.hash(of: UInt64(radio.index)) & 0xFFFF) << 8
  }

  var dialect: UCIDialect { configuration.dialect }

  /// Processes one command. The response and all other consequences are appended to `effects`.
  mutating func handle(_ command: UCICommand, at time: Int64, _ effects: inout [ChipEffect]) {
    switch command {
    case .deviceReset(let value): reset(value, &effects)
    case .getDeviceInfo: effects.append(.respond(.deviceInfo(.ok, configuration.information)))
    case .getCapabilities:
      effects.append(.respond(.capabilities(.ok, configuration.capabilities)))
    case .setDeviceConfiguration(let parameters): setDeviceConfiguration(parameters, &effects)
    case .getDeviceConfiguration(let ids): getDeviceConfiguration(ids, &effects)
    case .deviceSuspend: suspend(&effects)
    case .queryTimestamp:
      let microseconds = UInt64(max(time - bootTime, 0) / 1000)
      effects.append(.respond(.timestamp(.ok, microseconds: microseconds)))
    case .sessionInit(let id, let type): sessionInit(id, type, &effects)
    case .sessionDeinit(let token): sessionDeinit(token, &effects)
    case .setAppConfiguration(let token, let parameters):
      setAppConfiguration(token, parameters, &effects)
    case .getAppConfiguration(let token, let ids): getAppConfiguration(token, ids, &effects)
    case .getSessionCount:
      let count = sessions.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
      effects.append(.respond(.sessionCount(.ok, UInt8(clamping: count))))
    case .getSessionState(let token): getSessionState(token, &effects)
    case .updateMulticastList(let token, let action, let controlees):
      updateMulticastList(token, action, controlees, &effects)
    case .updateDTAnchorRounds(let token, let rounds): updateAnchorRounds(token, rounds, &effects)
    case .updateDTTagRounds(let token, let rounds): updateTagRounds(token, rounds, &effects)
    case .setInitiatorAnchorRounds(let token, let list): setInitiatorRounds(token, list, &effects)
    case .queryDataSize(let token): queryDataSize(token, &effects)
    case .setHybridControllerPhases(let token, _):
      effects.append(.respond(.setHybridControllerPhases(refusalOfPhases(token))))
    case .setHybridControleePhases(let token, _):
      effects.append(.respond(.setHybridControleePhases(refusalOfPhases(token))))
    case .configureDataTransferPhase(let token, let repetition, _, let entries):
      configureDataTransferPhase(token, repetition, entries, &effects)
    case .sessionStart(let token): sessionStart(token, at: time, &effects)
    case .sessionStop(let token): sessionStop(token, &effects)
    case .getRangingCount(let token):
      guard let slot = find(token) else {
        effects.append(.respond(.rangingCount(.sessionDoesNotExist, 0)))
        return
      }
      effects.append(.countsRounds(slot: slot))
    case .getPowerStatistics: effects.append(.readsPower)
    // The country code has no effect on this air.
    case .setCountryCode: effects.append(.respond(.setCountryCode(.ok)))
    case .unknown(let group, let opcode, _):
      let status = UCIMessageID(group: group, opcode: opcode).unknownStatus
      effects.append(.respond(.bareStatus(group: group, opcode: opcode, status)))
    }
  }

  /// The status for commands about hybrid phases, which this chip does not support.
  private func refusalOfPhases(_ token: UCISessionToken) -> UCIStatus {
    find(token) == nil ? .sessionDoesNotExist : .rejected
  }

  /// Frees what a chip that is switched off does not need.
  mutating func powerOff() {
    isPresent = false
    sessions = []
    stream = HostStream(maximumMessage: 255, dataTransfer: .standard)
  }

  func find(_ token: UCISessionToken) -> Int? {
    sessions.firstIndex { $0?.token == token }
  }

  /// A handle that no session of the chip has.
  mutating func takeHandle() -> UCISessionToken {
    repeat { nextHandle &+= 1 } while find(UCISessionToken(nextHandle)) != nil
    return UCISessionToken(nextHandle)
  }

  /// Notifies the host when the first session has become ACTIVE or none is any more.
  mutating func updateState(_ effects: inout [ChipEffect]) {
    let isActive = sessions.contains { $0?.state == .active }
    let next: UCIDeviceState = isActive ? .active : .ready
    guard next != state else { return }
    state = next
    effects.append(.notify(.deviceStatus(next)))
  }
}

/// The core group.
extension VirtualChip {
  /// DEVICE_RESET: removes all sessions without announcing it to their peers, and reports READY.
  private mutating func reset(_ value: UInt8, _ effects: inout [ChipEffect]) {
    guard value == 0 else {
      effects.append(.respond(.deviceReset(.invalidParameter)))
      return
    }
    effects.append(.respond(.deviceReset(.ok)))
    for index in sessions.indices {
      guard let session = sessions[index] else { continue }
      if let run = session.run { effects.append(.stopped(run, tellsPeers: false)) }
      effects.append(.notify(.sessionStatus(session.token, .deinitialised, .byCommand)))
    }
    sessions = []
    resets &+= 1
    lowPowerMode = 1
    state = .ready
    effects.append(.notify(.deviceStatus(.ready)))
  }

  /// CORE_DEVICE_SUSPEND: a chip without ACTIVE sessions sleeps until the next command wakes it.
  private func suspend(_ effects: inout [ChipEffect]) {
    effects.append(.respond(.deviceSuspend(state == .active ? .activeSessionsOngoing : .ok)))
  }

  private mutating func setDeviceConfiguration(_ parameters: [UCITLV], _ effects: inout [ChipEffect]) {
    var failures: [UCIParameterStatus] = []
    for parameter in parameters {
      let status = setDeviceParameter(parameter)
      if status != .ok { failures.append(UCIParameterStatus(id: parameter.id, status: status)) }
    }
    effects.append(.respond(.setDeviceConfiguration(.overall(failures), failures)))
  }

  /// Sets one device parameter. DEVICE_STATE (0) is read-only; LOW_POWER_MODE (1) is stored but has no
  /// effect.
  private mutating func setDeviceParameter(_ parameter: UCITLV) -> UCIStatus {
    switch parameter.id {
    case 0x00: return .readOnly
    case 0x01:
      guard parameter.value.count == 1 else { return .invalidParameter }
      guard parameter.value[0] <= 1 else { return .invalidRange }
      lowPowerMode = parameter.value[0]
      return .ok
    default: return .invalidParameter
    }
  }

  private func getDeviceConfiguration(_ ids: [UInt8], _ effects: inout [ChipEffect]) {
    let unknown = ids.filter { $0 > 1 }
    guard unknown.isEmpty else {
      let list = unknown.map { UCITLV(id: $0, value: []) }
      effects.append(.respond(.deviceConfiguration(.invalidParameter, list)))
      return
    }
    let list = ids.map { UCITLV(id: $0, value: [$0 == 0 ? state.rawValue : lowPowerMode]) }
    effects.append(.respond(.deviceConfiguration(.ok, list)))
  }
}

extension UCIStatus {
  /// The status of a response that lists the parameters it rejected.
  static func overall(_ failures: [UCIParameterStatus]) -> UCIStatus {
    guard let first = failures.first else { return .ok }
    return failures.allSatisfy { $0.status == first.status } ? first.status : .invalidParameter
  }
}
