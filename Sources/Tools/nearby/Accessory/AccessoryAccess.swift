import Foundation
import NearbyAccessory
import NearbyCommandLine
import NearbyDevice

/// Decides for which phones `nearby accessory` runs its commands.
struct AccessoryAccess: Equatable, Sendable {
  enum Rule: Equatable, Sendable {
    /// Without a command: phones only range.
    case ranging
    case paired
    case listed(Set<UUID>)
    /// A person at the terminal decides about each phone.
    case asked
    case anyone
  }

  private typealias Options = AccessoryCommand.Options

  let rule: Rule
  /// How long after the start new phones may pair.
  let pairingTime: Duration?

  /// Maximum size of a list of phones, octets: room for 28 thousand UUIDs.
  private static let longestList = 1 << 20

  init(_ arguments: CommandArguments) throws(UsageError) {
    let hasCommand = try !PhoneCommands(arguments).isEmpty
    let allowed = try arguments[Options.allow]
    let asks = try arguments[Options.ask]
    let isOpen = try arguments[Options.anyone]
    pairingTime = try arguments[Options.pair]
    guard [!allowed.isEmpty, asks, isOpen].count(where: { $0 }) <= 1 else {
      throw .conflict(
        "\(Options.allow), \(Options.ask) and \(Options.anyone) exclude each other; give only one")
    }
    guard hasCommand || !(asks || isOpen) else {
      throw .conflict(
        "\(asks ? Options.ask : Options.anyone) needs \(Options.onNear), \(Options.onFar) or \(Options.onGone)"
      )
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

  /// Whether commands may run for the phone of a reading.
  func covers(_ reading: AccessoryReading) -> Bool { rule == .anyone || reading.isAuthorized }

  /// Parses identifiers, and files with one identifier per line, where # starts a comment.
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
    let expected = "a phone's ID from a 'connected' line, or a file with one ID per line"
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

/// Asks the person at the terminal about each phone that comes near, once per connection.
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

  /// - Parameter admit: Called on another thread with a phone that the person admitted.
  mutating func ask(
    _ reading: AccessoryReading, within: Double, admit: @escaping @Sendable (AccessoryPhone) -> Void
  ) {
    guard isAsking, asked[reading.phone] == nil, let distance = reading.distance, distance <= within else {
      return
    }
    let phone = reading.phone
    let question = PersonQuestion(
      "\(phone) is \(AccessoryText.metres(distance)) m away. Run commands for it?"
    ) {
      if $0 { admit(phone) }
    }
    asked[phone] = question
    questions.ask(question)
  }

  /// Withdraws the question about a phone that has disconnected.
  mutating func withdraw(_ event: Accessory.Event) {
    if case .disconnected(let phone) = event { asked.removeValue(forKey: phone)?.withdraw() }
  }
}
