import NearbySimulated

// The network used by MultipeerConnectivity. Initially all phones are on it.
extension World {
  /// Sets the mean latency of a packet between two phones; each packet takes half to one and a half times as
  /// long. Initially 2 ms.
  public func setNetworkLatency(_ latency: Duration) { pump.setNetworkLatency(latency) }

  /// Loses this share (0 to 1) of all packets: unreliable messages are lost, everything else arrives later.
  public func setNetworkLoss(_ share: Double) { pump.setNetworkLoss(share) }

  /// Cuts the network between two phones. Neither is notified: data waits, as with an unplugged cable
  /// somewhere in between.
  public func partition(_ phone: Phone, _ other: Phone) {
    pump.partition(phone.shell.device, other.shell.device)
  }

  /// Ends all partitions. Phones that left the network stay away.
  public func heal() { pump.heal() }

  /// Breaks the present connections between two phones. Both are notified at once and may connect again.
  public func breakConnections(_ phone: Phone, _ other: Phone) {
    pump.breakLinks(phone.shell.device, other.shell.device)
  }
}

extension Phone {
  /// Takes this phone off the network, so that it neither sends nor receives.
  public func leaveNetwork() { shell.setOnNetwork(false) }

  /// Brings this phone back to the network.
  public func joinNetwork() { shell.setOnNetwork(true) }
}

/// The user's answer to an invitation shown by an `MCAdvertiserAssistant`.
public enum InvitationAnswer: Sendable, Hashable, CaseIterable {
  /// Join the session.
  case accept
  /// Decline the invitation.
  case decline
}

// The permissions that iOS requires for the local network, and an assistant's invitations.
extension Phone {
  /// Sets how the user answers an assistant's invitations from now on; initially they are accepted. With
  /// `nil` they stay open until `answerInvitation` or until they expire at the inviter.
  public func setInvitationAnswer(_ answer: InvitationAnswer?) {
    shell.setInvitationAnswer(answer.map { $0 == .accept })
  }

  /// Answers the oldest open invitation.
  public func answerInvitation(_ answer: InvitationAnswer) {
    shell.answerInvitation(answer == .accept)
  }

  /// Allows or denies the app access to the local network; initially allowed. While denied, connections are
  /// lost, and advertisers and browsers get `didNotStart…`, at once and at every start.
  public func changeLocalNetworkPermission(isAllowed: Bool) {
    shell.setLocalNetwork(isAllowed: isAllowed)
  }

  /// Sets the app's `NSBonjourServices`. A service type only starts if both its forms, `_type._tcp` and
  /// `_type._udp`, are listed; capitals are equal to small letters. With `nil`, the initial value, every
  /// type starts.
  public func setBonjourServices(_ services: [String]?) {
    shell.setBonjourServices(services)
  }
}
