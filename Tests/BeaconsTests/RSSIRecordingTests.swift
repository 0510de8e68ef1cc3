import Foundation
import NearbyBeacons
import NearbyRecordings
import Testing

private func read(_ text: String) throws(RecordingError) -> RSSIRecording {
  try RSSIRecording(Array(text.utf8), file: "a.csv")
}

/// The recordings next to the package, or in the folder `NEARBY_DATA`; `nil` if there are none.
private func recordings(_ set: String) -> [URL]? {
  let root =
    ProcessInfo.processInfo.environment["NEARBY_DATA"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data")
  let folder = root.appendingPathComponent(set)
  let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
  let files = paths.filter { $0.hasSuffix(".csv") }.sorted()
  return files.isEmpty ? nil : files.map { folder.appendingPathComponent($0) }
}

@Suite("Recordings of RSSI")
struct RSSIRecordingTests {
  @Test("Reads one beacon's packets, and the truth if present")
  func plain() throws {
    let recording = try read("t_s,rssi_dbm,gt_distance_m\n0,-50,1\n1.5,-60.5,\n")
    #expect(recording.names == ["beacon"])
    #expect(recording.places == nil)
    #expect(recording.samples.map(\.rssi) == [-50, -60.5])
    #expect(recording.samples.map(\.trueDistance) == [1, nil])
    #expect(recording.samples.map(\.time) == [.zero, .milliseconds(1500)])
  }

  @Test("Reads receivers and their positions, and ignores other columns")
  func receivers() throws {
    let recording = try read(
      """
      t_s,sensor,rssi_dbm,beacon_x_m,sensor_x_m,sensor_y_m,sensor_z_m,power_dbm
      0,s1,-84,11,7,7.09,1.22,-61
      0.1,s2,-80,x,7.18,17,2.3,-61
      0.2,s1,-70,11,7,7.09,1.22,-61
      """)
    #expect(recording.names == ["s1", "s2"])
    #expect(recording.places == [SIMD3(7, 7.09, 1.22), SIMD3(7.18, 17, 2.3)])
    #expect(recording.samples.map(\.name) == [0, 1, 0])
    #expect(recording.samples.map(\.measuredPower) == [-61, -61, -61])
  }

  @Test("Each pair of sender and receiver has a name of its own")
  func pairs() throws {
    let recording = try read("t_s,beacon,sensor,rssi_dbm\n0,a,s,-50\n0,a,t,-60\n0,b,s,-70\n1,a,s,-50\n")
    #expect(recording.names == ["a at s", "a at t", "b at s"])
    #expect(recording.samples.map(\.name) == [0, 1, 2, 0])
    #expect(recording.places == nil)
  }

  @Test(
    "The error says what is wrong, and where",
    arguments: [
      ("", RecordingError.empty(file: "a.csv")),
      ("t_s,rssi_dbm\n", .empty(file: "a.csv")),
      ("t_s,rssi\n0,1\n", .missingColumn(file: "a.csv", column: "rssi_dbm", found: ["t_s", "rssi"])),
      (
        "t_s,rssi_dbm\n0,-50\n1,x\n",
        .notANumber(file: "a.csv", line: 3, column: "rssi_dbm", found: "x")
      ),
      (
        "t_s,rssi_dbm\n0,-500\n",
        .outOfRange(file: "a.csv", line: 2, column: "rssi_dbm", found: -500, lowest: -200, highest: 127)
      ),
      ("t_s,rssi_dbm\n0\n", .fieldCount(file: "a.csv", line: 2, found: 1, expected: 2)),
      ("t_s,rssi_dbm,beacon\n0,-50,\n", .emptyName(file: "a.csv", line: 2, column: "beacon")),
      (
        "t_s,rssi_dbm,gt_distance_m\n0,-50,-1\n",
        .outOfRange(file: "a.csv", line: 2, column: "gt_distance_m", found: -1, lowest: 0, highest: 1e6)
      ),
      (
        "t_s,rssi_dbm,sensor,sensor_x_m,sensor_y_m\n0,-50,a,0,0\n",
        .missingColumn(
          file: "a.csv", column: "sensor_z_m",
          found: ["t_s", "rssi_dbm", "sensor", "sensor_x_m", "sensor_y_m"])
      ),
      (
        "t_s,rssi_dbm,sensor,sensor_x_m,sensor_y_m,sensor_z_m\n0,-50,a,0,0,0\n0,-50,a,0,0,1\n",
        .duplicateName(file: "a.csv", line: 3, column: "sensor", found: "a")
      ),
    ])
  func errors(_ text: String, _ error: RecordingError) {
    #expect(throws: error) { try read(text) }
  }

  @Test("Rows out of order are processed by time, and returned in the file's order")
  func order() throws {
    let sorted = try read("t_s,rssi_dbm\n0,-50\n1,-90\n2,-51\n")
    let mixed = try read("t_s,rssi_dbm\n2,-51\n0,-50\n1,-90\n")
    let rows = BeaconReplay(sorted, power: -59, isAlone: false).rows()
    #expect(BeaconReplay(mixed, power: -59, isAlone: false).rows() == [rows[2], rows[0], rows[1]])
  }

  @Test("The measured power is the given one, else the frames', else the median at 1 m, else the default")
  func power() throws {
    func source(_ text: String, _ power: Double? = nil) throws -> BeaconReplay.PowerSource {
      BeaconReplay(try read(text), power: power, isAlone: false).power
    }
    let near = "t_s,rssi_dbm,gt_distance_m\n" + (0..<6).map { "\($0),-6\($0),1\n" }.joined()
    #expect(try source(near, -70) == .given(-70))
    #expect(try source(near) == .calibrated(-62.5, packets: 6))
    #expect(try source("t_s,rssi_dbm,power_dbm\n0,-50,-55\n") == .stated)
    #expect(try source("t_s,rssi_dbm\n0,-50\n") == .usual(-59))
  }

  @Test("RSSI values of 127 and 0 are ignored")
  func none() throws {
    let rows = BeaconReplay(
      try read("t_s,rssi_dbm\n0,127\n1,0\n2,-60\n3,127\n"), power: nil, isAlone: false
    ).rows()
    #expect(rows.map { $0.distance == nil } == [true, true, false, false])
    #expect(rows[2].distance == rows[3].distance)
    #expect(rows.map { $0.zone == .unknown } == [true, true, false, false])
  }

  @Test(
    "On recordings from a hall, several receivers together and each alone stay within error bounds",
    .enabled(if: recordings("danis_ble/dev") != nil, "no recordings in danis_ble: set NEARBY_DATA"))
  func hall() throws {
    let files = try #require(recordings("danis_ble/dev"))
    var (together, alone): ([BeaconReplayRow], [BeaconReplayRow]) = ([], [])
    for file in files {
      let recording = try RSSIRecording(file: file)
      together += BeaconReplay(recording, power: nil, isAlone: false).rows()
      alone += BeaconReplay(recording, power: nil, isAlone: true).rows()
    }
    let summary = BeaconReplaySummary(together)
    let (all, near) = (try #require(summary.all), try #require(summary.near))
    #expect(all.rmse <= 3.1, "\(all.rmse), \(near.rmse)")
    #expect(near.rmse <= 1.2, "\(all.rmse), \(near.rmse)")
    #expect(all.normalisedError > 0.7, "\(all.normalisedError)")
    #expect(all.normalisedError < 1.4, "\(all.normalisedError)")
    #expect(try #require(summary.zonesRight) >= 0.8)
    // A single receiver is much less accurate, but its stated errors must still be correct.
    let single = try #require(BeaconReplaySummary(alone).all)
    #expect(single.rmse < 5.2)
    #expect(single.normalisedError > 0.7)
    #expect(single.normalisedError < 1.4)
  }

  @Test(
    "On recordings of pairs of phones, the RMSE is at most 0.80 m and 79 % of zones are right",
    .enabled(if: recordings("herald_ble/dev") != nil, "no recordings in herald_ble: set NEARBY_DATA"))
  func phones() throws {
    let files = try #require(recordings("herald_ble/dev"))
    var rows: [BeaconReplayRow] = []
    for file in files {
      let replay = BeaconReplay(try RSSIRecording(file: file), power: nil, isAlone: false)
      guard case .calibrated = replay.power else { continue }
      rows += replay.rows()
    }
    let summary = BeaconReplaySummary(rows)
    let all = try #require(summary.all)
    #expect(all.rmse <= 0.8, "\(all.rmse)")
    #expect(all.normalisedError > 0.7, "\(all.normalisedError)")
    #expect(all.normalisedError < 1.4, "\(all.normalisedError)")
    #expect(try #require(summary.zonesRight) >= 0.79)
  }
}

@Suite("Several receivers")
struct LocatorTests {
  private let sites = [(0.0, 0.0), (10, 0), (10, 8), (0, 8)].enumerated().map {
    ReceiverSite(name: "\($0.offset)", position: SIMD3($0.element.0, $0.element.1, 2))
  }

  @Test("A beacon between the receivers is located within 1.5 m, with a sigma under 2 m")
  func stands() throws {
    var locator = BeaconLocator(sites: sites, count: 1000)
    let model = PathLossModel()
    let place = SIMD2(2.5, 3.0)
    var link = FadingLink(seed: 2, hold: 1)
    var told: LocatedDistance?
    for step in 0..<400 {
      let site = step % 4
      let across = place - SIMD2(sites[site].position.x, sites[site].position.y)
      let metres = ((across * across).sum() + 0.49).squareRoot()
      let rssi = link.rssi(distanceInDecibels: model.loss(at: metres))
      told = locator.update(site: site, rssi: rssi, at: .milliseconds(100 * step)) ?? told
    }
    let error = locator.position - place
    #expect((error * error).sum().squareRoot() < 1.5, "\(locator.position)")
    #expect(try #require(told).sigma < 2)
  }

  @Test("The same packets and seed give identical results")
  func deterministic() {
    func run() -> [LocatedDistance?] {
      var locator = BeaconLocator(sites: sites, count: 200, seed: 9)
      return (0..<50).map { locator.update(site: $0 % 4, rssi: -60 - Double($0 % 9), at: .seconds($0)) }
    }
    #expect(run() == run())
  }

  @Test("Invalid input is ignored, and numbers stay finite")
  func nonsense() throws {
    var locator = BeaconLocator(sites: sites, count: 100)
    #expect(locator.update(site: 4, rssi: -60, at: .zero) == nil)
    #expect(locator.update(site: -1, rssi: -60, at: .zero) == nil)
    #expect(locator.update(site: 0, rssi: .nan, at: .zero) == nil)
    for (step, rssi) in [1e308, -1e308, 0, 127, -200].enumerated() {
      let told = locator.update(site: step % 4, rssi: rssi, at: .seconds(step % 2 * 1_000_000))
      let found = try #require(told)
      #expect(found.distance.isFinite)
      #expect(found.sigma.isFinite)
      #expect(found.sigma > 0)
    }
    var none = BeaconLocator(sites: [], count: 10)
    #expect(none.update(site: 0, rssi: -60, at: .zero) == nil)
  }
}
