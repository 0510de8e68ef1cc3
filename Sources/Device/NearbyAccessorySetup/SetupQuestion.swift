import NearbyBluetooth

/// What the user of a device is asked at present about accessories.
package struct SetupQuestion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Which of these to set up; more may be found. Empty while nothing was found.
    case choose([SetupCandidate])
    /// Whether the app keeps the accessories of these names that it used before.
    case migrate([String])
    /// Nothing: the device pairs with the accessory of this name. The user can only cancel.
    case pairing(String)
    /// What the accessory of this name is to be called.
    case name(String)
  }

  /// Identifies the picker, or the request for a name.
  package let number: Int
  package let kind: Kind
}

/// The user's reply to a question.
package enum SetupReply: Hashable, Sendable {
  /// Close the picker; keeps the name that there is if one is asked for.
  case cancel
  case choose(BluetoothPeer)
  /// Agree to what the app used before.
  case agree
  case name(String)
}

/// Something that takes a limited time.
package enum SetupWait: Hashable, Sendable {
  case discovery(SetupRequest)
  case pairing(SetupRequest)
}

extension AccessorySetupMachine {
  /// `nil` if the user is asked nothing.
  package var question: SetupQuestion? {
    if let renaming {
      guard let accessory = accessories.first(where: { $0.peer == renaming.peer }) else { return nil }
      return SetupQuestion(number: renaming.request.number, kind: .name(accessory.name))
    }
    guard let picker else { return nil }
    let kind: SetupQuestion.Kind =
      switch picker.phase {
      case .offering:
        picker.isMigration ? .migrate(picker.items.map(\.name)) : .choose(picker.candidates)
      case .pairing(let accessory, _): .pairing(accessory.name)
      case .naming(let accessory): .name(accessory.name)
      }
    return SetupQuestion(number: picker.request.number, kind: kind)
  }

  /// Receives the user's reply; no-op if the question is no longer open or the reply does not fit it.
  package mutating func received(_ reply: SetupReply, to number: Int) {
    guard let question, question.number == number else { return }
    switch (reply, question.kind) {
    case (.cancel, .name): named(nil)
    case (.cancel, _): cancelPicker()
    case (.choose(let peer), .choose): _ = choose(peer)
    case (.agree, .migrate): confirmMigration()
    case (.name(let name), .name): named(name)
    case (.choose, _), (.agree, _), (.name, _): break
    }
  }
}

/// A name as a person types it.
enum SetupName {
  /// The name without surrounding spaces and cut to a length; `nil` if nothing is left.
  static func usable(_ text: String, longest: Int) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace)
    let name = words.joined(separator: " ").prefix(longest)
    return name.isEmpty ? nil : String(name)
  }
}
