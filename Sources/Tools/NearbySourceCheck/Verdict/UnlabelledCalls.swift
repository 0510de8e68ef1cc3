/// The functions of a project whose calls must begin with a label.
///
/// Until Swift 2, the first argument had none. Such calls are found by name, so only names count that nothing else has.
struct UnlabelledCalls: Sendable {
  private let labelled: Set<String>
  private let values: Set<String>

  /// - Parameter isKnown: Whether a module here declares the name too.
  init(_ files: [FileFacts], isKnown: (String) -> Bool) {
    var functions: [String: Bool] = [:]
    var values: Set<String> = []
    for file in files {
      for (name, isLabelled) in file.functions { functions[name] = isLabelled && functions[name] ?? true }
      values.formUnion(file.values.filter { file.exported[$0] != nil })
    }
    self.values = values
    labelled = Set(functions.filter { $0.value && !isKnown($0.key) }.map(\.key))
  }

  /// The calls in a file that lack the label, with their first offset.
  func found(in facts: FileFacts) -> [(name: String, offset: Int)] {
    facts.unlabelledCalls.filter { name, _ in
      labelled.contains(name) && !values.contains(name) && !facts.values.contains(name)
    }.map { ($0.key, $0.value) }.sorted { $0.offset < $1.offset }
  }
}
