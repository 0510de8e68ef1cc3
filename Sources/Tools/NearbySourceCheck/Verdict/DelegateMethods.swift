/// A delegate's method that is called on Apple's systems and not here.
///
/// There the protocol is Objective-C's, whose selectors say nothing about optionals. Here a method with an optional
/// parameter where the protocol has none is another method, beside the protocol's default implementation.
package struct UncalledMethod: Equatable, Sendable {
  /// Where the parameter's type is.
  package var place: SourcePlace
  /// `name(_:label:)`.
  package var method: String
  /// The parameter's type in the app, such as `CLRegion!`.
  package var declared: String
  /// The parameter's type in the protocol, such as `CLRegion`.
  package var called: String
}

extension UncalledMethod {
  init(_ found: DelegateMethods.Uncalled, _ lines: LineTable) {
    let parameter = found.method.signature.parameters[found.parameter]
    self.init(
      place: lines.place(of: parameter.offset), method: found.method.signature.title,
      declared: parameter.type.text,
      called: found.called.signature.parameters[found.parameter].type.text)
  }
}

/// Compares the methods of a project's types with those of the frameworks' delegate protocols.
struct DelegateMethods {
  /// A method, the protocol's method that it would be without optionals, and its first parameter that differs.
  struct Uncalled {
    let method: DeclaredMethod
    let called: DelegateTable.Method
    let parameter: Int
  }

  /// A required method of a protocol to which a type conforms.
  struct Missing {
    let type: String
    let delegate: String
    let method: MethodSignature
  }

  private let table: DelegateTable
  private let inheritance: Inheritance
  /// The methods of all files by their type.
  private let methods: [String: [MethodSignature]]

  init(_ table: DelegateTable, _ files: [FileFacts], _ inheritance: Inheritance) {
    self.table = table
    self.inheritance = inheritance
    var methods: [String: [MethodSignature]] = [:]
    for file in files {
      for method in file.methods { methods[method.owner, default: []].append(method.signature) }
    }
    self.methods = methods
  }

  /// The methods of a file that a framework would call if their parameters were no optionals.
  func uncalled(in facts: FileFacts) -> [Uncalled] {
    facts.methods.compactMap { method in
      let named = table.methods[method.signature.name] ?? []
      guard !named.isEmpty else { return nil }
      let types = inheritance.ancestors(of: method.owner)
      for candidate in named where types.contains(candidate.delegate) {
        guard let parameter = Self.difference(method.signature, candidate.signature) else { continue }
        let isThereToo = types.contains { type in
          (methods[type] ?? []).contains { Self.isCalled($0, as: candidate.signature) }
        }
        return isThereToo ? nil : Uncalled(method: method, called: candidate, parameter: parameter)
      }
      return nil
    }
  }

  /// The first optional parameter that is none in the protocol, if the methods are the same otherwise.
  private static func difference(_ method: MethodSignature, _ called: MethodSignature) -> Int? {
    guard method.hasLabels(of: called) else { return nil }
    let pairs = Array(zip(method.parameters, called.parameters))
    guard pairs.allSatisfy({ $0.type.isEqualUnwrapped(to: $1.type) }),
      !pairs.contains(where: { !$0.type.isOptional && $1.type.isOptional })
    else { return nil }
    return pairs.firstIndex { $0.type.isOptional && !$1.type.isOptional }
  }

  private static func isCalled(_ method: MethodSignature, as called: MethodSignature) -> Bool {
    method.hasLabels(of: called)
      && zip(method.parameters, called.parameters).allSatisfy {
        $0.type.isEqualUnwrapped(to: $1.type) && $0.type.isOptional == $1.type.isOptional
      }
  }

  /// The required methods that a type conforming in this file lacks, with the name of the protocol.
  ///
  /// Only methods whose labels or optionals differ count: a type may be written in another way, for example by an alias.
  func missing(in facts: FileFacts) -> [Missing] {
    facts.parents.filter { table.delegates.contains($0.parent) }.flatMap { type, delegate in
      let types = inheritance.ancestors(of: type)
      let own = types.flatMap { methods[$0] ?? [] }
      let required = table.methods.values.joined().filter { $0.delegate == delegate && $0.isRequired }
      return required.map(\.signature).filter { called in !own.contains { Self.mayBe($0, called) } }
        .sorted { $0.title < $1.title }.map { Missing(type: type, delegate: delegate, method: $0) }
    }
  }

  /// Whether a method may implement a requirement, as far as its text tells.
  private static func mayBe(_ method: MethodSignature, _ called: MethodSignature) -> Bool {
    method.hasLabels(of: called)
      && zip(method.parameters, called.parameters).allSatisfy {
        !$0.type.isEqualUnwrapped(to: $1.type) || $0.type.isOptional == $1.type.isOptional
      }
  }
}
