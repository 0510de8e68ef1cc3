import Foundation
import NearbyAccessory
import NearbyCommandLine
import NearbyDevice

/// For whom `nearby accessory` runs its command.
struct AccessoryAccess: Equatable, Sendable {
  enum Rule: Equatable, Sendable {
    /// Without a command: nothing is done for anybody.
    case ranging
    case paired
    case listed(Set<UUID>)
    /// A person at the terminal says yes to each.
    case asked
    case anyone
  }

  private typealias Options = AccessoryCommand.Options

  let rule: Rule
  /// How long new phones may pair from the start.
  let pairingTime: Duration?

  /// Octets of a list of phones: 28 thousand lines of a UUID, more than anybody pairs with.
  private static let longestList = 1 << 20

  init(_ arguments: CommandArguments) throws(UsageError) {
    let hasCommand = try arguments[Options.onNear] != nil
    let allowed = try arguments[Options.allow]
    let asks = try arguments[Options.ask]
    let isOpen = try arguments[Options.anyone]
    pairingTime = try arguments[Options.pair]
    guard [!allowed.isEmpty, asks, isOpen].count(where: { $0 }) <= 1 else {
      throw .conflict(
        "\(Options.allow), \(Options.ask) and \(Options.anyone) say different things; give one of them")
    }
    guard hasCommand || !(asks || isOpen) else {
      throw .conflict(
        "\(asks ? Options.ask : Options.anyone) says for whom \(Options.onNear) runs, and there is none")
    }
    if !allowed.isEmpty {
      rule = .listed(try Self.identifiers(allowed))
    } else if asks {
      rule = .asked
    } else if isOpen {
      rule = .anyone
    } else {
      rule = hasCommand || pairingTime != nil ? .paired : .ranging
    }
  }

  var ofProfile: AccessoryProfile.Access {
    switch rule {
    case .ranging, .asked, .anyone: .everyone
    case .paired: .paired
    case .listed(let identifiers): .listed(identifiers)
    }
  }

  /// Whether something may be done for the phone of a reading.
  func covers(_ reading: AccessoryReading) -> Bool { rule == .anyone || reading.isAuthorized }

  /// Identifiers as they are, or from files that have one on each line; what is behind a # is a remark.
  private static func identifiers(_ words: [String]) throws(UsageError) -> Set<UUID> {
    var found: Set<UUID> = []
    for word in words {
      if let identifier = UUID(uuidString: word) {
        found.insert(identifier)
      } else {
        found.formUnion(try identifiers(inFile: word))
      }
    }
    return found
  }

  private static func identifiers(inFile path: String) throws(UsageError) -> Set<UUID> {
    let expected = "a phone's ID, as 'connected' lines show it, or a file with an ID on each line"
    guard let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: longestList + 1), data.count <= longestList
    else { throw .invalidValue(option: "\(Options.allow)", found: path, expected: expected) }
    var found: Set<UUID> = []
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      guard let identifier = UUID(uuidString: text) else {
        throw .invalidValue(
          option: "\(Options.allow)", found: "\(path):\(index + 1): \(text.prefix(80))", expected: expected)
      }
      found.insert(identifier)
    }
    return found
  }
}

/// Asks the person at the terminal about phones that come near, each once while it is there.
struct AccessoryDoorman {
  private let questions: TerminalQuestions
  private let isAsking: Bool
  private var asked: [AccessoryPhone: PersonQuestion] = [:]

  init(
    isAsking: Bool,
    questions: TerminalQuestions = TerminalQuestions(
      preset: nil, terminal: { FileHandle(forUpdatingAtPath: "/dev/tty") })
  ) {
    self.isAsking = isAsking
    self.questions = questions
  }

  /// - Parameter admit: Called with a phone that the person said yes to, on a thread of the questions' own.
  mutating func meet(
    _ reading: AccessoryReading, within: Double, admit: @escaping @Sendable (AccessoryPhone) -> Void
  ) {
    guard isAsking, asked[reading.phone] == nil, let distance = reading.distance, distance <= within else {
      return
    }
    let phone = reading.phone
    let question = PersonQuestion(
      "\(phone) is \(AccessoryText.metres(distance)) m away. Run the command for it?"
    ) {
      if $0 { admit(phone) }
    }
    asked[phone] = question
    questions.ask(question)
  }

  /// A question about a phone that is gone is withdrawn.
  mutating func follow(_ event: Accessory.Event) {
    if case .disconnected(let phone) = event { asked.removeValue(forKey: phone)?.withdraw() }
  }
}
