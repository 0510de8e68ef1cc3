import Cerca
import NearbyTextForms

/// What has happened to the two processes so far.
struct CercaStory {
  private var chapters: [String: Chapter] = [:]
  private let names: [String]

  private struct Chapter {
    var nearest: Float?
    var hasLost = false
    var hasFoundAgain = false
  }

  init(names: [String]) { self.names = names }

  /// - Returns: Whether each has ranged, lost its peer and found it again.
  mutating func add(_ report: CercaReport) -> Bool {
    var chapter = chapters[report.name] ?? Chapter()
    switch report.state {
    case .near(let sighting):
      guard let distance = sighting.distance else { break }
      chapter.nearest = min(distance, chapter.nearest ?? distance)
      chapter.hasFoundAgain = chapter.hasLost
    case .lost: if chapter.nearest != nil { chapter.hasLost = true }
    case .unsupported, .searching, .meeting, .suspended, .refused, .noNetwork, .failed: break
    }
    chapters[report.name] = chapter
    return names.allSatisfy { chapters[$0]?.hasFoundAgain == true }
  }

  var haveAllRanged: Bool { names.allSatisfy { chapters[$0]?.nearest != nil } }

  var summary: String {
    names.map { name in
      guard let chapter = chapters[name], let nearest = chapter.nearest else {
        return "\(name): found nobody"
      }
      let metres = NumberFormat.fixed(Double(nearest), 2)
      let end = chapter.hasFoundAgain ? ", lost, found again" : chapter.hasLost ? ", lost" : ""
      return "\(name): nearest \(metres) m\(end)"
    }.joined(separator: "; ")
  }
}
