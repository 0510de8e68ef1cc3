/// A mirror of BlueZ's objects: properties by path and interface.
package struct BlueZTree: Sendable {
  package typealias Properties = [String: BusValue]

  /// A change to the tree, in the order of the signals.
  package enum Change: Equatable, Sendable {
    case added(path: String, interface: String)
    /// `names` are the properties in the signal, whether or not their values differ.
    case changed(path: String, interface: String, names: Set<String>)
    case removed(path: String, interface: String)
  }

  package private(set) var objects: [String: [String: Properties]] = [:]

  package init() {}

  package subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

  package func property(_ name: String, of path: String, _ interface: String) -> BusValue? {
    objects[path]?[interface]?[name]
  }

  /// The paths of all objects with an interface, sorted.
  package func paths(with interface: String, under prefix: String = "/") -> [String] {
    objects.filter { $0.key.hasPrefix(prefix) && $0.value[interface] != nil }.map(\.key).sorted()
  }

  /// Parses the reply to `GetManagedObjects`, `a{oa{sa{sv}}}`; `nil` for anything else.
  package init?(managed value: BusValue?) {
    guard let entries = value?.entries else { return nil }
    for entry in entries {
      guard let path = entry.key.pathValue, let interfaces = Self.interfaces(entry.value) else { return nil }
      objects[path] = interfaces
    }
  }

  /// Applies a signal from the daemon.
  ///
  /// - Returns: The resulting changes; empty for signals of another kind or with an unexpected body.
  package mutating func apply(_ signal: BusSignal) -> [Change] {
    switch (signal.interface, signal.member) {
    case (BlueZName.objectManager, "InterfacesAdded"):
      guard signal.body.count == 2, let path = signal.body[0].pathValue,
        let interfaces = Self.interfaces(signal.body[1])
      else { return [] }
      objects[path, default: [:]].merge(interfaces) { $1 }
      return interfaces.keys.sorted().map { .added(path: path, interface: $0) }
    case (BlueZName.objectManager, "InterfacesRemoved"):
      guard signal.body.count == 2, let path = signal.body[0].pathValue, let names = signal.body[1].strings
      else { return [] }
      return names.filter { objects[path]?[$0] != nil }.map { name in
        objects[path]?[name] = nil
        if objects[path]?.isEmpty == true { objects[path] = nil }
        return .removed(path: path, interface: name)
      }
    case (BlueZName.properties, "PropertiesChanged"):
      return applyProperties(signal)
    case _: return []
    }
  }

  private mutating func applyProperties(_ signal: BusSignal) -> [Change] {
    guard signal.body.count == 3, let interface = signal.body[0].stringValue,
      let changed = Self.properties(signal.body[1]), let voided = signal.body[2].strings,
      objects[signal.path]?[interface] != nil
    else { return [] }
    for (name, value) in changed { objects[signal.path]?[interface]?[name] = value }
    for name in voided { objects[signal.path]?[interface]?[name] = nil }
    let names = Set(changed.keys).union(voided)
    return [.changed(path: signal.path, interface: interface, names: names)]
  }

  private static func interfaces(_ value: BusValue) -> [String: Properties]? {
    guard let entries = value.entries else { return nil }
    var interfaces: [String: Properties] = [:]
    for entry in entries {
      guard let name = entry.key.stringValue, let properties = properties(entry.value) else { return nil }
      interfaces[name] = properties
    }
    return interfaces
  }

  private static func properties(_ value: BusValue) -> Properties? {
    guard let entries = value.entries else { return nil }
    var properties: Properties = [:]
    for entry in entries {
      guard let name = entry.key.stringValue else { return nil }
      properties[name] = entry.value.unwrapped
    }
    return properties
  }
}
