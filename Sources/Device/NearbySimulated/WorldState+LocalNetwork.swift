import NearbyDevice
import NearbyPeerLink

/// Permission to use the local network.
extension WorldState {
  /// Whether the app's property list declares a service type and its user allows the network.
  func mayUse(_ type: ServiceType, _ user: PeerUser) -> Bool {
    guard let device = network.users[user]?.device else { return false }
    guard !network.denied.contains(device) else { return false }
    guard let declared = network.declared[device] else { return true }
    return declared.contains("_\(type.text)._tcp") && declared.contains("_\(type.text)._udp")
  }

  /// The user of a device grants or withdraws its app's permission to use the network.
  mutating func setLocalNetwork(isAllowed: Bool, device: Int) {
    guard network.denied.contains(device) == isAllowed else { return }
    if !isAllowed {
      for user in network.users.keys.sorted() where network.users[user]?.device == device { deny(user) }
    }
    changeNetwork { if isAllowed { $0.denied.remove(device) } else { $0.denied.insert(device) } }
  }

  private mutating func deny(_ user: PeerUser) {
    switch network.users[user]?.role {
    case .advertiser(_, _, record: .some):
      stopAdvertising(user)
      notify(user, .didNotStart)
    case .browser(_, _, isOn: true):
      stopBrowsing(user)
      notify(user, .didNotStart)
    case .advertiser, .browser, .session, .unavailable, nil: break
    }
  }

  // MARK: Questions

  /// Asks the user of a device, who answers a moment later if an answer is set.
  mutating func ask(_ question: PersonQuestion, device: Int) {
    questions[device, default: PersonAtDevice()].open.append(question)
    if let answer = questions[device]?.answer { answerQuestion(answer, device: device) }
  }

  /// The user answers the oldest open question.
  mutating func answerQuestion(_ answer: Bool, device: Int) {
    guard var person = questions[device] else { return }
    person.open.removeAll { !$0.isOpen }
    if !person.open.isEmpty {
      let question = person.open.removeFirst()
      schedule(ScheduledBlock(device: device) { question.answer(answer) }, at: now + Self.commandLatency)
    }
    questions[device] = person
  }
}

/// The open questions to the person at a device, and the answers.
struct PersonAtDevice: Sendable {
  /// The answer to every question as soon as it is asked; `nil` leaves questions open.
  var answer: Bool? = true
  var open: [PersonQuestion] = []
}
