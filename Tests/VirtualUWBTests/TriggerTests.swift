import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("SESSION_INFO_NTF_CONFIG")
struct TriggerTests {
  /// Runs one round at each distance; `nil` is a lost round. Returns the indices of the rounds reported to
  /// the host.
  private func heard(
    _ configuration: UInt8, distances: [Double?], azimuths: [Double] = []
  ) -> [Int] {
    // Near 100 cm, far 200 cm, azimuth −30° to 30°, any elevation.
    let bounds: [UInt8] = [0x00, 0xF1, 0x00, 0x0F, 0x00, 0xD3, 0x00, 0x2D]
    var bench = AirBench.pair(
      [0x0E: [configuration], 0x0F: [100, 0], 0x10: [200, 0], 0x1D: bounds])
    bench.start()
    var result: [Int] = []
    for (index, distance) in distances.enumerated() {
      bench.medium.distance = distance
      bench.medium.lost = distance == nil ? [.response] : []
      if index < azimuths.count {
        bench.medium.angleAtInitiator?.azimuth = azimuths[index] * Double.pi / 180
      }
      if bench.advance(index == 0 ? 20 : 100)[0] != nil { result.append(index) }
    }
    return result
  }

  @Test(
    "Rounds are reported according to proximity",
    arguments: [
      (0, []), (1, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
      // Every round inside, including both bounds; a lost round is not inside.
      (2, [1, 2, 4, 5]),
      // Entering and leaving; a lost round is not an edge.
      (5, [1, 6, 7, 8]),
    ] as [(UInt8, [Int])])
  func proximity(_ row: (configuration: UInt8, rounds: [Int])) {
    let distances: [Double?] = [0.99, 1.0, 1.5, nil, 1.5, 2.0, 2.01, 1.2, 5]
    var rounds = row.rounds
    if row.configuration == 2 { rounds.append(7) }
    #expect(heard(row.configuration, distances: distances) == rounds)
  }

  @Test(
    "Rounds are reported according to angle, and to angle and proximity",
    arguments: [
      (3, [1, 2, 4]), (6, [1, 3, 4, 5]), (4, [2, 4]), (7, [2, 3, 4, 5]),
    ] as [(UInt8, [Int])])
  func angle(_ row: (configuration: UInt8, rounds: [Int])) {
    let distances: [Double?] = [1.5, 5, 1.5, 1.5, 1.5, 1.5]
    let azimuths: [Double] = [40, 30, -30, -31, 0, 90]
    #expect(heard(row.configuration, distances: distances, azimuths: azimuths) == row.rounds)
  }

  @Test("A peer without an angle is outside every sector")
  func noAngle() {
    var bench = AirBench.pair([0x0E: [3]])
    bench.medium.angleAtInitiator = nil
    bench.start()
    #expect(bench.advance(300)[0] == nil)
  }

  @Test("Sequence numbers count notifications; the ranging count counts every round")
  func counts() {
    var bench = AirBench.pair([0x0E: [2], 0x0F: [100, 0], 0x10: [200, 0]])
    bench.start()
    var sequences: [UInt32] = []
    for (index, distance) in [1.5, 5, 1.5].enumerated() {
      bench.medium.distance = distance
      sequences += (bench.advance(index == 0 ? 20 : 100)[0] ?? []).sessionInfos.map(\.sequence)
    }
    #expect(sequences == [0, 1])
    #expect(
      bench.command(.getRangingCount(bench.token(0))) == [.response(.rangingCount(.ok, 3))])
  }
}
