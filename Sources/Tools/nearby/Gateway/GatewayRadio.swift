import Foundation
import NearbyChipTools
import NearbyCommandLine
import NearbyEstimation
import NearbyReadings
import NearbyUCI
import Synchronization

/// Ranges with a UWB chip and reports each raw distance, on a thread of its own.
final class GatewayRadio: Sendable {
  private struct State: Sendable {
    var failure: CommandError?
    var isEnded = false
  }

  private let state = Mutex(State())
  private let inbox: GatewayInbox
  private let done = DispatchSemaphore(value: 0)

  /// Opens the chip and starts the session.
  init(
    _ arguments: CommandArguments, _ request: UCISessionRequest, _ inbox: GatewayInbox,
    _ context: CommandContext
  ) throws {
    self.inbox = inbox
    let connection = try RadioConnection(arguments, in: context)
    do {
      _ = try connection.awaitReady()
    } catch {
      connection.shell.close()
      throw error
    }
    connection.shell.perform { $0.openSession(request, at: $1) }
    Thread { [self] in
      run(connection, request)
      connection.shell.close()
      done.signal()
    }.start()
  }

  /// Why ranging ended.
  var failure: CommandError? { state.withLock { $0.failure } }

  /// Ends the session and waits for the thread.
  func end() {
    state.withLock { $0.isEnded = true }
    done.wait()
  }

  private func run(_ connection: RadioConnection, _ request: UCISessionRequest) {
    var ranges = RadioRanges()
    while !state.withLock({ $0.isEnded }) {
      guard let letter = connection.next(before: .now + .milliseconds(100)) else { continue }
      switch letter {
      case .interrupted: return close(connection, request)
      case .radio(.closed(let error)): return fail(connection.lost(error))
      case .radio(.host(let event, let time)):
        switch event {
        case .measured(request.sessionID, let info): report(ranges.add(info, at: time))
        case .sessionFailed(_, .lost): break
        case .sessionFailed(_, let failure):
          return fail(
            .unavailable("\(connection.address): the session could not be started: \(failure.sentence)"))
        case .recovering:
          return fail(.unavailable("\(connection.address): the chip reported an error and was reset"))
        case _: break
        }
      }
    }
    close(connection, request)
  }

  private func report(_ ranges: [RadioRange]) {
    for range in ranges {
      guard let metres = range.range, case .short(let peer) = range.peer else { continue }
      let digits = String(peer, radix: 16)
      inbox.add(
        GatewayReading(
          time: GatewayClock.now, uncertainty: GatewayClock.delay,
          peer: "0x" + String(repeating: "0", count: 4 - digits.count) + digits,
          value: .range(
            metres: metres, sigma: nil,
            blocked: range.looksNonLineOfSight.map(BlockedPathModel.probability(isMarked:)),
            rssi: range.rssiDBm)))
    }
  }

  private func fail(_ error: CommandError) { state.withLock { $0.failure = error } }

  /// Sends STOP and DEINIT, so that the chip is left in its initial state.
  private func close(_ connection: RadioConnection, _ request: UCISessionRequest) {
    let id = request.sessionID
    connection.shell.perform { $0.closeSession(id, at: $1) }
    let end = ContinuousClock.now + .seconds(5)
    while let letter = connection.next(before: end) {
      switch letter {
      case .radio(.closed), .radio(.host(.sessionClosed(id), _)), .radio(.host(.sessionFailed(id, _), _)):
        return
      case .radio, .interrupted: continue
      }
    }
  }
}
