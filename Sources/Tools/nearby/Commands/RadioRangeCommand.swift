import NearbyChipTools
import NearbyTextForms
import NearbyUCI

/// `nearby radio range`.
struct RadioRangeCommand {
  private static let closeTime = Duration.seconds(5)
  private static let reasonTime = Duration.milliseconds(100)

  private let arguments: Arguments
  private let request: UCISessionRequest
  private let isJSON: Bool
  /// Rounds after which to stop.
  private let rounds: Int?
  private let limit: Duration?
  private let folder: OutputFolder?

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    request = try RadioSessionOptions(arguments).request
    isJSON = arguments.has("json")
    rounds = try arguments.value("count", as: .integer(1...1_000_000_000))
    limit = try arguments.value("seconds", as: .duration)
    folder = arguments.text("record").map { OutputFolder(path: $0, mayOverwrite: arguments.has("force")) }
  }

  func run(in context: CommandContext) throws {
    try folder?.check()
    let connection = try RadioConnection(arguments, in: context)
    defer { connection.shell.close() }
    _ = try connection.awaitReady()
    let recorder = try folder.map {
      try RadioRecorder($0, connection.address, camera: context.environment["NEARBY_CAMERA"])
    }
    recorder?.begin { [shell = connection.shell] in shell.now }
    let request = request
    connection.shell.perform { $0.openSession(request, at: $1) }
    let isComplete: Bool
    do throws(CommandError) {
      isComplete = try range(on: connection, recorder, in: context)
    } catch {
      closeSession(on: connection)
      // What was measured until then is kept.
      if let text = try? recorder?.finish() { context.errors.line(text) }
      throw error
    }
    closeSession(on: connection)
    if let recorder { context.errors.line(try recorder.finish()) }
    if !isComplete, rounds != nil || limit != nil { throw CommandError.interrupted }
  }

  /// Prints until the count, the time, or an interrupt.
  ///
  /// - Returns: Whether it came to its own end.
  private func range(
    on connection: RadioConnection, _ recorder: RadioRecorder?, in context: CommandContext
  ) throws(CommandError) -> Bool {
    var ranges = RadioRanges()
    var count = 0
    let end = limit.map { ContinuousClock.now + $0 }
    var hasHeader = isJSON
    while let letter = connection.next(before: end) {
      switch letter {
      case .interrupted: return false
      case .radio(.closed(let error)): throw connection.lost(error)
      case .radio(.host(let event, let time)):
        guard case .measured(request.sessionID, let info) = event else {
          try check(event, connection)
          continue
        }
        if !hasHeader { context.output.line(RadioRangeText.header) }
        hasHeader = true
        let results = ranges.take(info, at: time)
        for range in results {
          recorder?.take(range)
          context.output.line(isJSON ? RadioRangeText.json(range) : RadioRangeText.line(range))
        }
        context.flush()
        // Some chips report an unanswered round without any result.
        if !results.isEmpty { count += 1 }
        if let recorder, recorder.isFull {
          context.errors.line("nearby: the recording is full: \(RadioRecorder.limit) ranges or poses")
          return true
        }
        if count == rounds || context.isOutputClosed() { return true }
      }
    }
    return true
  }

  private func check(_ event: UCIHost.Event, _ connection: RadioConnection) throws(CommandError) {
    switch event {
    case .sessionFailed(_, .lost): break
    case .sessionFailed(_, let failure):
      let reason = reasonBehind(connection).map { " (\($0))" } ?? ""
      throw .unavailable("\(connection.address): the session does not start: \(failure.sentence)\(reason)")
    case .sessionState(request.sessionID, let state, let reason)
    where state != .active && reason != .byCommand:
      throw .unavailable("\(connection.address): the chip ended the session: \(reason)")
    case .recovering: throw .unavailable("\(connection.address): the chip reports an error and was reset")
    case .bringUpFailed, .ready, .deviceState, .sessionOpened, .sessionState, .sessionClosed, .measured,
      .controleesUpdated, .dataReceived, .dataSent, .undecodable, .other:
      break
    }
  }

  /// Chips that refuse a command tell why in a notification beside it.
  private func reasonBehind(_ connection: RadioConnection) -> UCIReason? {
    let end = ContinuousClock.now + Self.reasonTime
    while let letter = connection.next(before: end) {
      guard case .radio(.host(.sessionState(request.sessionID, _, let reason), _)) = letter else { continue }
      if reason != .byCommand { return reason }
    }
    return nil
  }

  /// STOP and DEINIT, so that the chip is left as it was found.
  private func closeSession(on connection: RadioConnection) {
    let id = request.sessionID
    connection.shell.perform { $0.closeSession(id, at: $1) }
    let end = ContinuousClock.now + Self.closeTime
    while let letter = connection.next(before: end) {
      switch letter {
      case .interrupted, .radio(.closed): return
      case .radio(.host(.sessionClosed(id), _)), .radio(.host(.sessionFailed(id, _), _)): return
      case .radio: continue
      }
    }
  }
}

/// The session's parameters from the options.
struct RadioSessionOptions {
  let request: UCISessionRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let peers = try arguments.values("peer", as: .sixteenBits)
    guard !peers.isEmpty else { throw .missingOption("peer", placeholder: "ADDRESS") }
    let isInitiator = arguments.text("role") != "responder"
    guard isInitiator || peers.count == 1 else {
      throw .conflict("a responder has one --peer: its initiator")
    }
    guard peers.count <= 8, Set(peers).count == peers.count else {
      throw .conflict("--peer: expected up to 8 different addresses")
    }
    let own = try arguments.requiredValue("address", as: .sixteenBits)
    guard !peers.contains(own) else { throw .conflict("--peer and --address are the same") }
    let isOneToMany = peers.count > 1 || arguments.has("one-to-many")
    var parameters: [UCIAppParameter] = [
      .macAddressMode(.short), .numberOfControlees(UInt8(clamping: peers.count)),
      .deviceType(isInitiator ? .controller : .controlee),
      .deviceRole(isInitiator ? .initiator : .responder),
      .multiNodeMode(isOneToMany ? .oneToMany : .unicast), .rangingRoundUsage(.doubleSidedDeferred),
      .scheduleMode(.timeScheduled), .deviceAddress(.short(own)),
      .destinationAddresses(peers.map { .short($0) }),
    ]
    parameters += try Self.timing(arguments) + Self.security(arguments)
    parameters += [
      .rangingRoundControl(0x03), .angleRequest(.both), .resultReportConfiguration(0x0F),
      .rssiReporting(1), .notificationConfiguration(.always),
    ]
    request = UCISessionRequest(
      sessionID: try arguments.requiredValue("session", as: .sessionID), parameters: parameters)
  }

  private static func timing(_ arguments: Arguments) throws(UsageError) -> [UCIAppParameter] {
    let channel = try arguments.requiredValue("channel", as: .integer(5...14))
    let preamble = try arguments.requiredValue("preamble", as: .integer(1...32))
    let interval = try arguments.requiredValue("interval", as: .integer(1...3_600_000))
    let slot = try arguments.requiredValue("slot", as: .integer(1...65_535))
    let slots = try arguments.requiredValue("slots", as: .integer(1...255))
    return [
      .channel(UCIChannel(rawValue: UInt8(clamping: channel))),
      .preambleCodeIndex(UInt8(clamping: preamble)),
      .rangingDuration(milliseconds: UInt32(clamping: interval)),
      .slotDuration(rstu: UInt16(clamping: slot)), .slotsPerRound(UInt8(clamping: slots)),
    ]
  }

  private static func security(_ arguments: Arguments) throws(UsageError) -> [UCIAppParameter] {
    if let key = try arguments.value("key", as: .octets([16, 32])) {
      return [.stsConfiguration(.provisioned), .sessionKey(key)]
    }
    let vendor = try arguments.requiredValue("vendor-id", as: .octets([2]))
    let iv = try arguments.requiredValue("iv", as: .octets([6]))
    return [
      .stsConfiguration(.fixed), .vendorID(UInt16(vendor[0]) | UInt16(vendor[1]) << 8), .staticSTSIV(iv),
    ]
  }
}

/// What `nearby radio range` prints.
enum RadioRangeText {
  static let header = "      time  round  peer       range  estimate   sigma  azimuth  elevation      RSSI"

  static func line(_ range: RadioRange) -> String {
    let time = NumberFormat.padded(NumberFormat.fixed(range.time / .seconds(1), 3), 8)
    let round = NumberFormat.padded("\(range.sequence)", 5)
    let start = "\(time) s  \(round)  \(UCIWords.address(range.peer))"
    guard let measured = range.range else { return start + "  \(range.status)" }
    func column(_ value: Double?, _ decimals: Int, _ width: Int) -> String {
      NumberFormat.padded(value.map { NumberFormat.fixed($0, decimals) } ?? "-", width)
    }
    var text = start + column(measured, 2, 8) + " m" + column(range.distance, 2, 8) + " m"
    text +=
      column(range.sigma, 2, 8) + column(range.azimuth, 1, 8) + "°" + column(range.elevation, 1, 10) + "°"
    text += column(range.rssiDBm, 1, 7) + " dBm"
    return range.looksNonLineOfSight ? text + "  blocked" : text
  }

  static func json(_ range: RadioRange) -> String {
    var line = JSONLine()
    line.add("t", range.time / .seconds(1), decimals: 6)
    line.add("round", Int(range.sequence))
    line.add("peer", text: UCIWords.address(range.peer))
    line.add("status", text: range.status.description)
    line.add("range", exactly: range.range)
    line.add("distance", range.distance, decimals: 4)
    line.add("sigma", range.sigma, decimals: 4)
    line.add("azimuth", range.azimuth, decimals: 3)
    line.add("elevation", range.elevation, decimals: 3)
    line.add("nlos", range.looksNonLineOfSight)
    line.add("rssi", range.rssiDBm, decimals: 1)
    return line.closed()
  }
}
