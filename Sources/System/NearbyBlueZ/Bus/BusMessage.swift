/// A signal, together with the bus's information about its origin.
package struct BusSignal: Sendable {
  /// The sender's unique name. The bus fills it in, so it cannot be forged.
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var body: [BusValue]

  package init(sender: String, path: String, interface: String, member: String, body: [BusValue]) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
  }
}

/// An incoming method call.
package struct BusCall: Sendable {
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var body: [BusValue]
}

/// A method call to an object of another peer.
package struct BusRequest: Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var body: [BusValue]
  /// How long to wait for the reply.
  package var limit: Duration

  package init(
    to destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
    limit: Duration = .seconds(25)
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
    self.limit = limit
  }
}
