import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB

/// An air with chips and their hosts, for tests that use messages or octets.
struct AirBench {
  var air: VirtualAir
  var medium = ScriptedMedium()
  var dialects: [UCIDialect] = []
  /// The token of each chip's latest session.
  private(set) var tokens: [Int: UCISessionToken] = [:]
  private(set) var now = Duration.zero

  init(seed: UInt64 = 1) { air = VirtualAir(seed: seed) }

  @discardableResult
  mutating func addChip(_ configuration: VirtualChipConfiguration = .init(dialect: .v1)) -> RadioID {
    dialects.append(configuration.dialect)
    let radio = air.addChip(configuration, at: now)
    _ = air.takeActions()
    return radio
  }

  /// Sends one command and returns the output as octets.
  mutating func send(_ octets: [UInt8], from radio: RadioID = RadioID(index: 0)) -> [[UInt8]] {
    air.received(octets, from: radio, at: now)
    return takeOctets(radio)
  }

  mutating func takeOctets(_ radio: RadioID = RadioID(index: 0)) -> [[UInt8]] {
    air.takeActions().compactMap { action in
      guard case .send(let octets, let receiver) = action, receiver == radio else { return nil }
      return octets
    }
  }

  /// Sends one command and returns the output to its host as messages.
  @discardableResult
  mutating func command(_ command: UCICommand, _ index: Int = 0) -> [UCIMessage] {
    var octets: [UInt8] = []
    UCIMessage.command(command).write(to: &octets, dialect: dialects[index])
    air.received(octets, from: RadioID(index: index), at: now)
    let answers = messages()[index] ?? []
    if case .sessionInit(let id, _) = command, case .response(.sessionInit(.ok, let handle)) = answers.first {
      tokens[index] = handle ?? UCISessionToken(id)
    }
    return answers
  }

  @discardableResult
  mutating func data(_ message: UCIDataMessage, _ index: Int = 0) -> [UCIMessage] {
    var octets: [UInt8] = []
    UCIMessage.data(message).write(to: &octets, dialect: dialects[index], maximumDataPayload: 2000)
    air.received(octets, from: RadioID(index: index), at: now)
    return messages()[index] ?? []
  }

  /// Advances time and returns what each host received, by chip.
  @discardableResult
  mutating func advance(_ milliseconds: Int) -> [Int: [UCIMessage]] {
    now += .milliseconds(milliseconds)
    air.advance(to: now, medium: &medium)
    return messages()
  }

  private mutating func messages() -> [Int: [UCIMessage]] {
    var result: [Int: [UCIMessage]] = [:]
    var streams: [Int: UCIReassembler] = [:]
    for case .send(let octets, let radio) in air.takeActions() {
      for output in streams[radio.index, default: UCIReassembler()].received(octets) {
        guard case .message(let raw) = output,
          let message = try? UCIMessage(raw, dialect: dialects[radio.index])
        else { continue }
        result[radio.index, default: []].append(message)
      }
    }
    return result
  }
}

/// Parameters of the sessions with which tests start.
enum TestSession {
  /// One side of a pair: addresses 1 (controller, initiator) and 2, 6 slots of 2 ms, 100 ms.
  static func pair(isController: Bool, _ changes: [UInt8: [UInt8]] = [:]) -> [UCITLV] {
    var values: [(UInt8, [UInt8])] = [
      (0x00, [isController ? 1 : 0]), (0x11, [isController ? 1 : 0]), (0x03, [0]), (0x22, [1]), (0x01, [2]),
      (0x06, [isController ? 1 : 2, 0]), (0x05, [1]), (0x07, [isController ? 2 : 1, 0]),
      (0x1B, [6]), (0x09, [100, 0, 0, 0]), (0x27, [0x08, 0x07]), (0x28, [1, 2, 3, 4, 5, 6]),
    ]
    for (id, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let index = values.firstIndex(where: { $0.0 == id }) {
        values[index].1 = value
      } else {
        values.append((id, value))
      }
    }
    return values.map { UCITLV(id: $0.0, value: $0.1) }
  }
}

extension AirBench {
  /// Two chips with one session each, with id 7, configured and not started.
  static func pair(
    _ controller: [UInt8: [UInt8]] = [:], _ controlee: [UInt8: [UInt8]] = [:],
    type: UCISessionType = .ranging, configuration: VirtualChipConfiguration = .init(dialect: .v1)
  ) -> AirBench {
    var bench = AirBench()
    for (index, changes) in [controller, controlee].enumerated() {
      bench.addChip(configuration)
      bench.command(.sessionInit(sessionID: 7, type: type), index)
      bench.command(
        .setAppConfiguration(bench.token(index), TestSession.pair(isController: index == 0, changes)), index)
    }
    bench.medium.positions = [0: 0, 1: 1.5]
    return bench
  }

  /// The token of a chip's latest session.
  func token(_ index: Int) -> UCISessionToken { tokens[index] ?? UCISessionToken(0) }

  /// Starts both sides, the responder first.
  mutating func start() {
    command(.sessionStart(token(1)), 1)
    command(.sessionStart(token(0)), 0)
  }
}

extension [UCIMessage] {
  var sessionInfos: [UCISessionInfo] {
    compactMap { if case .notification(.sessionInfo(let info)) = $0 { info } else { nil } }
  }

  var measurements: [UCITwoWayMeasurement] {
    sessionInfos.flatMap { info in
      if case .twoWay(let list, _) = info.measurements { list } else { [UCITwoWayMeasurement]() }
    }
  }
}
