/// Which modules declare a name, and which modules an import makes visible.
package struct ModuleTable: Sendable {
  /// A set of modules, one bit each.
  typealias Modules = UInt64

  private var bits: [String: Int] = [:]
  private var names: [String] = []
  private var reach: [Modules] = []
  private var free: [String: Modules] = [:]
  private var members: [String: Modules] = [:]
  /// The methods of the frameworks' delegate protocols.
  let delegates: DelegateTable

  /// Maximum number of modules: the number of bits of `Modules`.
  static let capacity = Modules.bitWidth

  /// The toolchain's modules and this package's, read from the files next to the program.
  package static func linux() throws(NameTableError) -> ModuleTable { try read.get() }

  private static let read = Result { () throws(NameTableError) in
    let toolchain = try NameTable(resource: "toolchain.txt")
    let package = try NameTable(resource: "package.txt")
    let delegates = try DelegateTable(
      parsing: NameTable.octets(ofResource: "delegates.txt"), file: "delegates.txt")
    return try ModuleTable(toolchain.modules + package.modules, delegates: delegates)
  }

  init(_ modules: [ModuleNames], delegates: DelegateTable = .empty) throws(NameTableError) {
    self.delegates = delegates
    guard modules.count <= Self.capacity else { throw .tooManyModules(count: modules.count) }
    for (bit, module) in modules.enumerated() {
      bits[module.module] = bit
      names.append(module.module)
    }
    reach = Array(repeating: 0, count: names.count)
    for (bit, module) in modules.enumerated() {
      add(module.free, to: &free, bit)
      add(module.members, to: &members, bit)
      reach[bit] = 1 << bit
      for export in module.exports { if let other = bits[export] { reach[bit] |= 1 << other } }
    }
    close()
  }

  /// Makes re-exports transitive.
  private mutating func close() {
    for _ in names.indices {
      for bit in names.indices {
        for other in names.indices where reach[bit] & (1 << other) != 0 { reach[bit] |= reach[other] }
      }
    }
  }

  private func add(_ names: [String], to table: inout [String: Modules], _ bit: Int) {
    for name in names { table[name, default: 0] |= 1 << bit }
  }

  /// Modules without a counterpart at Apple. An app that uses one of their type names means its own type.
  static let ours: Set<String> = [
    "NearbyFoundation", "NearbyAccessory", "NearbyPeers", "NearbyPosition", "NearbyTesting",
    "NearbySafeArchives",
  ]

  var moduleNames: Set<String> { Set(names).union(Self.partsOfOthers.keys) }

  /// Modules whose declarations are in the table under another module's name.
  private static let partsOfOthers: [String: String] = [
    "Dispatch": "Foundation", "Glibc": "Foundation", "FoundationEssentials": "Foundation",
    "FoundationInternationalization": "Foundation", "_Concurrency": "Swift", "_StringProcessing": "Swift",
    "CoreFoundation": "Foundation",
  ]

  /// All modules that an import of this one makes visible; `nil` if there is no such module.
  func reach(of module: String) -> Modules? {
    if let bit = bits[module] { return reach[bit] }
    return Self.partsOfOthers[module].flatMap { bits[$0] }.map { reach[$0] }
  }

  /// Whether an app's module with this name would hide a type, or clash with a module.
  package func isTaken(_ name: String) -> Bool {
    moduleNames.contains(name) || free(name) != 0 && SwiftWords.isType(name)
  }

  /// Apple's frameworks that this package has.
  var frameworks: Modules {
    [
      "ARKit", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyInteraction",
      "UserNotifications",
    ]
    .reduce(0) { $0 | (bits[$1].map { 1 << $0 } ?? 0) }
  }

  /// The modules that every file sees.
  var always: Modules { reach(of: "Swift") ?? 0 }

  func free(_ name: String) -> Modules { free[name] ?? 0 }
  func members(_ name: String) -> Modules { members[name] ?? 0 }

  /// Names of the modules in a set, this package's own last.
  func names(of modules: Modules) -> [String] {
    names.indices.filter { modules & (1 << $0) != 0 }.map { names[$0] }
  }
}
