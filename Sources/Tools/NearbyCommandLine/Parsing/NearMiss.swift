import NearbyTextForms

/// Suggests the word that was probably meant by an unknown one.
package enum NearMiss {
  /// The candidate with the fewest edits, if it is close enough.
  ///
  /// - Returns: `nil` if the best candidate needs more edits than a third of its length (at least 2). The
  ///   first of several equally good candidates wins.
  package static func of(_ word: String, among candidates: [String]) -> String? {
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let edits = EditDistance.between(word, candidate)
      if edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    guard let best, best.edits <= max(2, best.name.count / 3), best.edits < best.name.count else {
      return nil
    }
    return best.name
  }
}
