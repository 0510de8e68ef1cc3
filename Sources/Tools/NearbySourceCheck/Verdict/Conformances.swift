/// What each file needs so that the conformances in it hold: for each requirement of a protocol that the project declares
/// or that is a framework's delegate, the files that implement it.
extension ProjectIndex {
  mutating func addConformances(
    _ files: [(module: Int, facts: FileFacts)], _ inheritance: Inheritance, _ delegates: DelegateTable
  ) {
    var requirements = delegates.required
    var declaring: [String: [String: [Int]]] = [:]
    for (number, file) in files.enumerated() {
      for (name, members) in file.facts.requirements { requirements[name, default: []].formUnion(members) }
      for (type, members) in file.facts.members {
        for member in members { declaring[type, default: [:]][member, default: []].append(number) }
      }
      for method in file.facts.methods {
        declaring[method.owner, default: [:]][method.signature.title, default: []].append(number)
      }
    }
    for (number, file) in files.enumerated() {
      for (type, parent) in file.facts.parents where type != parent {
        let types = inheritance.ancestors(of: type)
        // A protocol that inherits from another one implements nothing.
        guard requirements[type] == nil else { continue }
        let wanted = inheritance.ancestors(of: parent).flatMap { requirements[$0] ?? [] }
        for name in Set(wanted).sorted() {
          let found = Set(types.flatMap { declaring[$0]?[name] ?? [] })
            .filter { files[$0].module == file.module }.sorted()
          // What this file declares itself, or nobody declares here, says nothing.
          guard !found.isEmpty, !found.contains(number) else { continue }
          let offset = file.facts.uses.first { $0.use.name == parent }?.offset ?? 0
          addNeed(.init(name: name, offset: offset, list: newList(found)), ofFile: number)
        }
      }
    }
  }
}
