import NearbySimulated

// The network under MultipeerConnectivity. At first everybody is on it.
extension World {
  /// How long a packet takes from one phone to another on average; what is drawn lies between the half and three
  /// halves of it. 2 ms at first.
  public func setNetworkLatency(_ latency: Duration) { pump.setNetworkLatency(latency) }

  /// Loses this share of all packets, 0 to 1: unreliable messages are gone, all else comes later.
  public func setNetworkLoss(_ share: Double) { pump.setNetworkLoss(share) }

  /// Two phones no longer hear each other. Nobody is told: what is sent waits, as with a cable pulled out
  /// somewhere between.
  public func partition(_ phone: Phone, _ other: Phone) {
    pump.partition(phone.shell.device, other.shell.device)
  }

  /// Ends all partitions. Phones that left stay away.
  public func heal() { pump.heal() }

  /// Breaks the connections between two phones as they are now; both hear so at once, and may connect again.
  public func breakConnections(_ phone: Phone, _ other: Phone) {
    pump.breakLinks(phone.shell.device, other.shell.device)
  }
}

extension Phone {
  /// Nobody on the network hears this phone any more, nor does it hear anybody.
  public func leaveNetwork() { shell.setOnNetwork(false) }

  /// The phone is on the network again.
  public func joinNetwork() { shell.setOnNetwork(true) }
}

/// What the person with a phone says to an invitation that an `MCAdvertiserAssistant` shows.
public enum InvitationAnswer: Sendable, Hashable, CaseIterable {
  /// Yes, come in.
  case accept
  /// No.
  case decline
}

// What iOS asks of an app that wants the local network, and what an assistant asks of a person.
extension Phone {
  /// What its person says to invitations that an assistant shows from now on: yes, at first. With `nil` they stay
  /// open until `answerInvitation`, or until the inviter's time runs out.
  public func setInvitationAnswer(_ answer: InvitationAnswer?) {
    shell.setInvitationAnswer(answer.map { $0 == .accept })
  }

  /// Answers the oldest invitation that is shown.
  public func answerInvitation(_ answer: InvitationAnswer) {
    shell.answerInvitation(answer == .accept)
  }

  /// The user allows the app the local network, or no longer: then advertisers and browsers hear
  /// `didNotStart…`, now and at every start, and connections are lost. Allowed at first.
  public func changeLocalNetworkPermission(isAllowed: Bool) {
    shell.setLocalNetwork(isAllowed: isAllowed)
  }

  /// The app's `NSBonjourServices`: a service type starts only where both its forms, `_type._tcp` and
  /// `_type._udp`, are among them. At first, and with `nil`, all do.
  public func setBonjourServices(_ services: [String]?) {
    shell.setBonjourServices(services)
  }
}
