import NearbyChipTools
import NearbyCommandLine
import NearbyTextForms
import NearbyUCI

/// `nearby radio range`.
struct RadioRangeCommand {
  /// Time for the responses to STOP and DEINIT, at most 2 s each.
  private static let closeTime = Duration.seconds(5)
  /// How long to wait for the notification that explains a refusal.
  private static let reasonTime = Duration.milliseconds(100)

  private let arguments: CommandArguments
  private let request: UCISessionRequest
  private let isJSON: Bool
  /// Number of rounds after which to stop.
  private let rounds: Int?
  private let limit: Duration?
  private let folder: OutputFolder?

  init(_ arguments: CommandArguments) throws(UsageError) {
    self.arguments = arguments
    request = try RadioSessionOptions(arguments).request
    isJSON = try arguments[CommonOptions.json]
    rounds = try arguments[Options.count]
    limit = try arguments[Options.seconds]
    let mayOverwrite = try arguments[Options.force]
    folder = try arguments[Options.record].map { OutputFolder(path: $0, mayOverwrite: mayOverwrite) }
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
    let end: End
    do throws(CommandError) {
      end = try range(on: connection, recorder, in: context)
    } catch {
      closeSession(on: connection)
      // Keep what was measured so far.
      if let text = try? recorder?.finish() { context.errors.line(text) }
      throw error
    }
    closeSession(on: connection)
    if let recorder { context.errors.line(try recorder.finish()) }
    guard rounds != nil || limit != nil else { return }
    if end.isInterrupted { throw CommandError.interrupted }
    guard end.hasRanged || context.isOutputClosed() else {
      throw CommandError.unavailable(
        "\(connection.address): no round gave a distance; check that the peer runs a session with the same "
          + "parameters")
    }
  }

  /// How ranging ended.
  private struct End {
    var isInterrupted = false
    /// Whether any round gave a distance.
    var hasRanged = false
  }

  /// Prints until the count, the time, or an interrupt.
  private func range(
    on connection: RadioConnection, _ recorder: RadioRecorder?, in context: CommandContext
  ) throws(CommandError) -> End {
    var outcome = End()
    var ranges = RadioRanges()
    var count = 0
    let end = limit.map { ContinuousClock.now + $0 }
    var hasHeader = isJSON
    while let letter = connection.next(before: end) {
      switch letter {
      case .interrupted:
        outcome.isInterrupted = true
        return outcome
      case .radio(.closed(let error)): throw connection.lost(error)
      case .radio(.host(let event, let time)):
        guard case .measured(request.sessionID, let info) = event else {
          try check(event, connection)
          continue
        }
        if !hasHeader { context.output.line(RadioRangeText.header) }
        hasHeader = true
        let results = ranges.add(info, at: time)
        for range in results {
          if range.range != nil { outcome.hasRanged = true }
          recorder?.add(range)
          context.output.line(isJSON ? RadioRangeText.json(range) : RadioRangeText.line(range))
        }
        context.flush()
        // Some chips report an unanswered round without any result, which does not count.
        if !results.isEmpty { count += 1 }
        if let recorder, recorder.isFull {
          context.errors.line(
            "nearby: the recording is full after \(RadioRecorder.limit) ranges or poses; stopped")
          return outcome
        }
        if count == rounds || context.isOutputClosed() { return outcome }
      }
    }
    return outcome
  }

  private func check(_ event: UCIHost.Event, _ connection: RadioConnection) throws(CommandError) {
    switch event {
    case .sessionFailed(_, .lost): break
    case .sessionFailed(_, let failure):
      let reason = reasonBehind(connection).map { " (\($0))" } ?? ""
      throw .unavailable(
        "\(connection.address): the session could not be started: \(failure.sentence)\(reason)")
    case .sessionState(request.sessionID, let state, let reason)
    where state != .active && reason != .byCommand:
      throw .unavailable("\(connection.address): the chip ended the session: \(reason)")
    case .recovering: throw .unavailable("\(connection.address): the chip reported an error and was reset")
    case .bringUpFailed, .ready, .deviceState, .sessionOpened, .sessionState, .sessionClosed, .measured,
      .controleesUpdated, .dataReceived, .dataSent, .undecodable, .other:
      break
    }
  }

  /// A chip that refuses a command explains the reason in a separate notification.
  private func reasonBehind(_ connection: RadioConnection) -> UCIReason? {
    let end = ContinuousClock.now + Self.reasonTime
    while let letter = connection.next(before: end) {
      guard case .radio(.host(.sessionState(request.sessionID, _, let reason), _)) = letter else { continue }
      if reason != .byCommand { return reason }
    }
    return nil
  }

  /// Sends STOP and DEINIT, so that the chip is left in its initial state.
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
