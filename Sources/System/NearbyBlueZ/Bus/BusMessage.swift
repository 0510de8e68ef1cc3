/// A signal, with what the bus itself says of where it came from.
package struct BusSignal: Sendable {
  /// Unique name of the sender, which the bus fills in and nobody can forge.
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

/// A method call that came in.
package struct BusCall: Sendable {
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var body: [BusValue]
}

/// What one asks of an object of another's.
package struct BusRequest: Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var body: [BusValue]
  /// How long to wait for the answer.
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
