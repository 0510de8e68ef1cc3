import NearbyAccessorySetup
import NearbyBluetooth
import NearbyDevice
import NearbyTextForms
import Synchronization

/// The user at the terminal, who is asked about one offered accessory after the other.
final class TerminalPerson: SetupPerson {
  private struct State {
    var open: PersonQuestion?
    /// The picker or request that the open question belongs to.
    var number: Int?
    var candidates: [SetupCandidate] = []
    /// The accessory that the open question is about.
    var asked: BluetoothPeer?
    var declined: Set<BluetoothPeer> = []
  }

  private let state = Mutex(State())
  private let show: @Sendable (PersonQuestion) -> Void

  /// - Parameter show: Shows a question on the terminal, and returns at once.
  init(show: @escaping @Sendable (PersonQuestion) -> Void = { TerminalQuestions.shared.ask($0) }) {
    self.show = show
  }

  func ask(_ question: SetupQuestion?, reply: @escaping @Sendable (SetupReply) -> Void) {
    let number = question?.number
    let isSame = state.withLock { state in
      defer { if state.number != number { state = State(open: state.open, number: number) } }
      return state.number == number
    }
    switch question?.kind {
    case .choose(let candidates):
      let isAsking = state.withLock { state in
        state.candidates = candidates
        return isSame && state.asked.map { asked in candidates.contains { $0.peer == asked } } ?? false
      }
      if !isAsking { askAboutNext(reply) }
    case .migrate(let names):
      let list = names.map { "“\(PrintableText.name($0))”" }.joined(separator: ", ")
      put(PersonQuestion("Let the app keep \(list), which it used before?") { reply($0 ? .agree : .cancel) })
    case .name(let name):
      put(
        PersonQuestion(forLine: "Name of “\(PrintableText.name(name))” (leave empty to keep it)") { line in
          reply(line.map { .name($0) } ?? .cancel)
        })
    case .pairing, nil: put(nil)
    }
  }

  /// Asks about the first offer that was not declined. If all were declined, the picker closes.
  private func askAboutNext(_ reply: @escaping @Sendable (SetupReply) -> Void) {
    let (next, isOver) = state.withLock { state in
      let next = state.candidates.first { !state.declined.contains($0.peer) }
      state.asked = next?.peer
      return (next, next == nil && !state.candidates.isEmpty)
    }
    guard let next else {
      put(nil)
      return isOver ? reply(.cancel) : ()
    }
    let advertised = next.advertisedName.map { " (\(PrintableText.name($0)))" } ?? ""
    put(
      PersonQuestion("Set up “\(PrintableText.name(next.name))”\(advertised)?") { [weak self] isYes in
        guard !isYes else { return reply(.choose(next.peer)) }
        self?.state.withLock { _ = $0.declined.insert(next.peer) }
        self?.askAboutNext(reply)
      })
  }

  /// Shows a question in place of the open one.
  private func put(_ question: PersonQuestion?) {
    let open = state.withLock { state in
      defer { state.open = question }
      return state.open
    }
    open?.withdraw()
    if let question { show(question) }
  }
}
