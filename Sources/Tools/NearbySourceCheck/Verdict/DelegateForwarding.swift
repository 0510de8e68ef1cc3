/// Adds methods that the frameworks call here, and that call an app's method with optional parameters.
///
/// For `func f(_ a: A, didExit r: R!) {…}` it adds `; func f(_ p0: A, didExit p1: R) { f(p0, didExit: Optional(p1)) }`
/// behind the body, so that lines keep their numbers.
package struct DelegateForwarding: Sendable {
  private let methods: DelegateMethods
  private let conditions: BuildConditions

  /// - Parameter modules: All modules of the project, since a type's conformance may be in another file.
  package init(_ modules: [SourceModule], table: ModuleTable) {
    let conditions = BuildConditions(modules: table.moduleNames.union(modules.map(\.name)))
    self.conditions = conditions
    let files = modules.flatMap(\.files).filter { $0.octets.count <= ProjectCheck.largestFile }
    let facts = files.map { FileScanner.facts(of: $0.octets, conditions) }
    methods = DelegateMethods(table.delegates, facts, Inheritance(facts))
  }

  /// A file's source with the added methods, and their number.
  package func adding(to octets: [UInt8]) -> (octets: [UInt8], count: Int) {
    guard octets.count <= ProjectCheck.largestFile else { return (octets, 0) }
    let found = methods.uncalled(in: FileScanner.facts(of: octets, conditions)).filter(\.method.isForwardable)
    guard !found.isEmpty else { return (octets, 0) }
    var result: [UInt8] = []
    var position = 0
    for one in found.sorted(by: { $0.method.end < $1.method.end }) where one.method.end >= position {
      result += octets[position..<one.method.end]
      result += Array(Self.text(one).utf8)
      position = one.method.end
    }
    return (result + octets[position...], found.count)
  }

  private static func text(_ one: DelegateMethods.Uncalled) -> String {
    let (own, called) = (one.method.signature, one.called.signature)
    let modifiers = one.method.modifiers.map { $0 + " " }.joined()
    let parameters = called.parameters.enumerated().map { number, parameter in
      let escaping = parameter.type.isFunction ? "@escaping " : ""
      return "\(parameter.label) p\(number): \(escaping)\(parameter.type.text)"
    }
    let arguments = zip(own.parameters, called.parameters).enumerated().map { number, pair in
      let label = pair.0.label == "_" ? "" : pair.0.label + ": "
      let isWrapped = pair.0.type.isOptional && !pair.1.type.isOptional
      return label + (isWrapped ? "Optional(p\(number))" : "p\(number)")
    }
    return "; \(modifiers)func \(called.name)(\(parameters.joined(separator: ", "))) "
      + "{ \(own.name)(\(arguments.joined(separator: ", "))) }"
  }
}
