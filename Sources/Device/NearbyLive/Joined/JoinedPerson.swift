import NearbyAccessorySetup
import NearbyWorldProtocol
import Synchronization

/// The person at a device in a world, whom accessory pickers ask on the world's page.
final class JoinedPerson: SetupPerson {
  private struct State {
    var open: WorldPicker?
    var reply: (@Sendable (SetupReply) -> Void)?
  }

  private let state = Mutex(State())
  private let send: @Sendable (WorldPicker?) -> Void

  init(send: @escaping @Sendable (WorldPicker?) -> Void) { self.send = send }

  func ask(_ question: SetupQuestion?, reply: @escaping @Sendable (SetupReply) -> Void) {
    let picker = question.map(WorldPicker.init)
    let isNew = state.withLock { state in
      defer { state = State(open: picker, reply: picker == nil ? nil : reply) }
      return state.open != picker
    }
    if isNew { send(picker) }
  }

  /// The world lost what it was told; sends the open picker again.
  func askAgain() { if let picker = state.withLock({ $0.open }) { send(picker) } }

  func received(_ pick: WorldPick, to number: UInt32) {
    let reply = state.withLock { $0.open?.number == number ? $0.reply : nil }
    reply?(SetupReply(pick))
  }
}

extension WorldPicker {
  init(_ question: SetupQuestion) {
    let kind: Kind =
      switch question.kind {
      case .choose(let candidates):
        .choose(
          candidates.map { Offer(peer: $0.peer, name: $0.name, advertisedName: $0.advertisedName) })
      case .migrate(let names): .migrate(names)
      case .pairing(let name): .pairing(name)
      case .name(let name): .name(name)
      }
    self.init(number: UInt32(truncatingIfNeeded: question.number), kind: kind)
  }
}

extension SetupReply {
  init(_ pick: WorldPick) {
    self =
      switch pick {
      case .cancel: .cancel
      case .choose(let peer): .choose(peer)
      case .agree: .agree
      case .name(let name): .name(name)
      }
  }
}
