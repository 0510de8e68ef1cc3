import Foundation

/// The topics, in the order in which they are measured.
enum Topic: String, CaseIterable {
  case parts, round, demo, memory, crowd, flat, ranging, assistance, search, peers
  case network, bulk, sessions, trip, mesh, world, beacons, accessory, check, waits, position, listening,
    campaign
  case site, relay

  func figures() throws -> [Figure] {
    switch self {
    case .parts: partsBenchmark()
    case .round: roundBenchmark()
    case .demo: try demoBenchmark()
    case .memory: try memoryBenchmark()
    case .crowd: crowdBenchmark()
    case .flat: flatnessBenchmark()
    case .ranging: rangingBenchmark()
    case .assistance: try assistanceBenchmark()
    case .search: searchBenchmark()
    case .peers: peerBenchmark()
    case .network: try networkBenchmark()
    case .bulk: try bulkBenchmark()
    case .sessions: try sessionBenchmark()
    case .trip: try tripBenchmark()
    case .mesh: try meshFigures()
    case .world: try worldBenchmark()
    case .beacons: try beaconBenchmark()
    case .accessory: accessoryBenchmark()
    case .check: checkBenchmark()
    case .waits: waitsBenchmark()
    case .position: try positionBenchmark()
    case .listening: listeningBenchmark()
    case .campaign: try campaignBenchmark()
    case .site: try siteBenchmark()
    case .relay: try relayBenchmark()
    }
  }

  /// Measures topics and prints the table.
  ///
  /// - Returns: Whether every target is met.
  static func measure(_ topics: [Topic]) -> Bool {
    var missed: [String] = []
    Figure.showHeading()
    for topic in topics {
      do {
        for figure in try topic.figures() {
          figure.show()
          if !figure.isMet { missed.append(figure.name) }
        }
      } catch {
        print("\(topic.rawValue): \(error)")
        missed.append(topic.rawValue)
      }
      fflush(nil)
    }
    if !missed.isEmpty { print("missed: \(missed.joined(separator: "; "))") }
    return missed.isEmpty
  }
}
