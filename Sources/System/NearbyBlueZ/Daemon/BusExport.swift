/// An object of ours on the bus: the properties the daemon reads and the methods it calls.
package struct BusExport {
  package var interface: String
  package var properties: [(String, BusValue)]
  /// Called for each method call of the interface. Answer it immediately or later.
  package var received: (_ member: String, _ body: [BusValue], _ answer: BusConnection.Answer) -> Void

  package init(
    _ interface: String, _ properties: [(String, BusValue)] = [],
    received: @escaping (String, [BusValue], BusConnection.Answer) -> Void = { _, _, answer in
      answer.refuse(BlueZName.unknownMethod)
    }
  ) {
    self.interface = interface
    self.properties = properties
    self.received = received
  }
}

/// All exported objects, and the bus's standard interfaces on them.
struct BusExports {
  private var objects: [String: BusExport] = [:]

  subscript(path: String) -> BusExport? {
    get { objects[path] }
    set { objects[path] = newValue }
  }

  mutating func removeAll(under root: String) {
    objects = objects.filter { $0.key != root && !$0.key.hasPrefix(root + "/") }
  }

  func answer(_ call: BusCall, _ answer: BusConnection.Answer) {
    switch (call.interface, call.member) {
    case (BlueZName.objectManager, "GetManagedObjects"): answer.give([managed(under: call.path)])
    case (BlueZName.introspectable, "Introspect"): answer.give([.string("<node/>")])
    case (BlueZName.properties, _): answerProperties(call, answer)
    case (let interface, let member):
      guard let object = objects[call.path] else { return answer.refuse(BlueZName.unknownObject) }
      guard interface.isEmpty || interface == object.interface else {
        return answer.refuse(BlueZName.unknownMethod)
      }
      object.received(member, call.body, answer)
    }
  }

  private func answerProperties(_ call: BusCall, _ answer: BusConnection.Answer) {
    guard let object = objects[call.path] else { return answer.refuse(BlueZName.unknownObject) }
    let isAsked = call.body.first?.stringValue == object.interface
    switch call.member {
    case "GetAll": answer.give([.options(isAsked ? object.properties : [])])
    case "Get":
      guard isAsked, call.body.count == 2, let name = call.body[1].stringValue,
        let property = object.properties.first(where: { $0.0 == name })
      else { return answer.refuse(BlueZName.unknownProperty) }
      answer.give([.variant(property.1)])
    // The daemon writes the handles of attributes, which are not needed here.
    case "Set": answer.give()
    case _: answer.refuse(BlueZName.unknownMethod)
    }
  }

  private func managed(under root: String) -> BusValue {
    let below = objects.filter { $0.key.hasPrefix(root == "/" ? "/" : root + "/") }.sorted { $0.key < $1.key }
    let entries = below.map { path, object in
      BusEntry(
        .path(path),
        .dictionary(
          key: "s", value: "a{sv}", [BusEntry(.string(object.interface), .options(object.properties))]))
    }
    return .dictionary(key: "o", value: "a{sa{sv}}", entries)
  }
}
