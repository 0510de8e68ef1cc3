import Foundation
import NearbyExchange
import NearbyRecordings
import TestSupport
import Testing

@testable import NearbySimulator

/// Whether the recorded data exist. Tests that need them are skipped otherwise.
private let hasData = RangingFolders.data != nil

@Suite(
  "The error model compared with recorded data", .enabled(if: hasData, "no recorded data: set NEARBY_DATA"))
struct RecordedFiguresTests {
  /// Columns of a table as numbers; text counts as NaN.
  static func columns(_ path: String, _ names: [String]) throws -> [[Double]] {
    let url = try #require(RangingFolders.data).appending(path: path)
    let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n"))
    let header = lines[0].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let places = try names.map { name in try #require(header.firstIndex(of: name)) }
    var columns = names.map { _ in [Double]() }
    for line in lines.dropFirst() {
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      for (column, place) in places.enumerated() {
        columns[column].append(Double(String(decoding: fields[place], as: UTF8.self)) ?? .nan)
      }
    }
    return columns
  }

  /// Errors by place. Rows with the same true range belong to one place.
  static func byPlace(_ errors: [(place: Double, error: Double)]) -> [(place: Double, figures: ErrorFigures)]
  {
    var groups: [Double: [Double]] = [:]
    for entry in errors { groups[entry.place, default: []].append(entry.error) }
    return groups.sorted { $0.key < $1.key }.map { ($0.key, ErrorFigures($0.value)) }
  }

  @Test("Rooms (graz): bias and spread match, in line of sight and behind walls and bodies")
  func rooms() throws {
    let table = try Self.columns(
      "graz_university/dev/all/features.csv", ["nlos", "range_m", "gt_range_m"])
    let errors = zip(table[0], zip(table[1], table[2])).map { ($0, $1.0 - $1.1) }
    let open = ErrorFigures(errors.filter { $0.0 == 0 }.map { $0.1 })
    let blocked = ErrorFigures(errors.filter { $0.0 == 1 }.map { $0.1 })
    let simulatedOpen = ErrorFigures(
      ErrorModelTests.roomErrors(.module, seeds: 1...300, rounds: 10).flatMap { $0 })
    // These rooms have both concrete and people in the way.
    let simulatedBlocked = ErrorFigures(
      ErrorModelTests.roomErrors(.module, seeds: 1...300, rounds: 10) { world, body, _ in
        world.add(
          Wall(
            from: SIMD2(4.5, -5), to: SIMD2(4.5, 15), material: Material.named("concrete") ?? .body))
        world.add(Person(on: body, offset: SIMD2(0, 0.4), bodyAboveFeet: 1))
      }.flatMap { $0 })
    #expect(abs(open.median - simulatedOpen.median) < 0.04, "\(open), \(simulatedOpen)")
    #expect(abs(open.spread - simulatedOpen.spread) < 0.04, "\(open), \(simulatedOpen)")
    #expect(abs(blocked.median - simulatedBlocked.median) < 0.2, "\(blocked), \(simulatedBlocked)")
    #expect(simulatedBlocked.spread > blocked.spread / 2)
    #expect(simulatedBlocked.spread < blocked.spread * 2)
    #expect(simulatedBlocked.quantile(0.95) > blocked.quantile(0.95) / 2)
    #expect(simulatedBlocked.quantile(0.95) < blocked.quantile(0.95) * 2)
  }

  @Test("Outdoors (hanyang, line of sight): spread at one place and growth of bias with distance match")
  func distances() throws {
    let table = try Self.columns(
      "hanyang_static/dev/all/static_ranges.csv", ["los", "range_m", "gt_range_m"])
    let rows = table[0].indices.filter { table[0][$0] == 1 }
    let places = Self.byPlace(rows.map { (table[2][$0], table[1][$0] - table[2][$0]) })
    let recordedSpread = ErrorFigures(places.map(\.figures.spread)).median
    let simulated = stride(from: 2.0, through: 60, by: 2).map { distance in
      let runs = (UInt64(1)...12).map { seed -> ErrorFigures in
        var world = pair(.module, seed: seed, distance: distance)
        world.echoLoss = 15
        return ErrorFigures(
          (0..<30).compactMap { round in
            world.exchange(
              ExchangePlan(initiator: 0, responder: 1, channel: 5, start: .milliseconds(100 * round))
            ).distance.map { $0 - distance }
          })
      }
      return (
        place: distance, bias: ErrorFigures(runs.map(\.median)).median,
        spread: ErrorFigures(runs.map(\.spread)).median
      )
    }
    let simulatedSpread = ErrorFigures(simulated.filter { $0.place < 30 }.map(\.spread)).median
    #expect(abs(recordedSpread - simulatedSpread) < 0.015)
    // The pairs' own biases differ, but their growth with distance is the radio's.
    func growth(_ bias: (ClosedRange<Double>) -> Double) -> [Double] {
      [bias(8...12), bias(18...22), bias(28...32), bias(40...60)].map { $0 - bias(2...4.1) }
    }
    let recorded = growth { range in
      ErrorFigures(places.filter { range.contains($0.place) }.map(\.figures.median)).median
    }
    let grown = growth { range in
      ErrorFigures(simulated.filter { range.contains($0.place) }.map(\.bias)).median
    }
    for (a, b) in zip(recorded, grown) { #expect(abs(a - b) < 0.08) }
  }
}
