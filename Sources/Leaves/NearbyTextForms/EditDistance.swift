/// How different two words are, to suggest the one that was probably meant.
package enum EditDistance {
  /// The number of insertions, deletions, substitutions and swaps of adjacent characters that turn one word
  /// into the other.
  package static func between(_ source: String, _ target: String) -> Int {
    let source = Array(source)
    let target = Array(target)
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      for column in target.indices {
        let replaced = previous[column] + (source[row] == target[column] ? 0 : 1)
        var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
          least = min(least, beforePrevious[column - 1] + 1)
        }
        current.append(least)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[target.count]
  }
}
