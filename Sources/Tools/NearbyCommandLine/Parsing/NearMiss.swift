/// Suggests the word that was probably meant by an unknown one.
package enum NearMiss {
  /// The candidate with the fewest edits, if it is close enough.
  ///
  /// - Returns: `nil` if the best candidate needs more edits than a third of its length (at least 2). The
  ///   first of several equally good candidates wins.
  package static func of(_ word: String, among candidates: [String]) -> String? {
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let edits = edits(from: Array(word), to: Array(candidate))
      if edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    guard let best, best.edits <= max(2, best.name.count / 3), best.edits < best.name.count else {
      return nil
    }
    return best.name
  }

  /// Edit distance: insertions, deletions, substitutions and swaps of adjacent characters.
  package static func edits(from source: [Character], to target: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for row in 0..<source.count {
      var current = [row + 1]
      for column in 0..<target.count {
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
