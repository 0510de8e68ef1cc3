import NearbyBeacons
import NearbyBluetooth
import TestSupport
import Testing

private func inside(_ name: String) -> RegionMonitor {
  var monitor = RegionMonitor()
  _ = monitor.setListening(true, at: .zero)
  _ = monitor.add(region(name, major: 0x0102, exit: false), at: .zero)
  _ = monitor.sighted(someBeacon, at: .seconds(1))
  _ = monitor.timePassed(at: .seconds(11))
  return monitor
}

private func restored(_ octets: [UInt8]) -> Result<RegionMonitor, SnapshotError> {
  do throws(SnapshotError) {
    return .success(try RegionMonitor(snapshot: octets, at: .seconds(500)))
  } catch {
    return .failure(error)
  }
}

/// One region named "é", inside, with 20 s of silence left.
private let goldenSnapshot = hex(
  "4E42524D 01 01 00000002 C3A9 E2C56DB5DFFB48D2B060D0F5A71096E0 05 0102 0000 01 00004E20")

@Suite("Snapshots of regions")
struct SnapshotTests {
  @Test("Regions, states and remaining silence are written as specified and read back")
  func golden() throws {
    #expect(inside("é").snapshot == goldenSnapshot)
    let again = try restored(goldenSnapshot).get()
    #expect(again.regions == [region("é", major: 0x0102, exit: false)])
    #expect(again.state(of: "é") == .inside)
    #expect(again.snapshot == goldenSnapshot)
    #expect(RegionMonitor().snapshot == hex("4E42524D 01 00"))
  }

  @Test("A region that was inside stays inside, and exits after the remaining silence while scanning")
  func restart() throws {
    var again = try restored(goldenSnapshot).get()
    #expect(again.timePassed(at: .seconds(900)) == [])
    #expect(again.setListening(true, at: .seconds(1000)) == [])
    #expect(again.sighted(someBeacon, at: .seconds(1010)) == [])
    #expect(again.nextDeadline == .seconds(1040))
    #expect(again.timePassed(at: .seconds(1040)) == [.determined(identifier: "é", .outside)])
    #expect(again.snapshot.suffix(5) == [2, 0, 0, 0, 0])
  }

  @Test("Every strict prefix is refused as truncated")
  func prefixes() {
    for count in goldenSnapshot.indices {
      guard
        case .failure(.truncated(_, let offset, let needed, let left)) = restored(
          Array(goldenSnapshot.prefix(count)))
      else {
        Issue.record("a snapshot of \(count) octets was not refused as truncated")
        continue
      }
      #expect(offset + left == count)
      #expect(needed > left)
    }
  }

  @Test(
    "Trailing or invalid data is refused with its position",
    arguments: [
      (38, [0], .leftover(offset: 38, count: 1)), (3, [0x4E], .invalid(.mark, offset: 3)),
      (4, [2], .unknownVersion(2)), (5, [21], .invalid(.count, offset: 5)),
      (10, [0xFF], .invalid(.identifier, offset: 10)), (28, [0x25], .invalid(.flags, offset: 28)),
      (28, [0x04], .invalid(.major, offset: 29)), (32, [1], .invalid(.minor, offset: 31)),
      (33, [3], .invalid(.state, offset: 33)), (33, [2], .invalid(.remaining, offset: 34)),
      (34, [0xFF], .invalid(.remaining, offset: 34)),
    ] as [(Int, [UInt8], SnapshotError)])
  func refused(_ place: Int, _ octets: [UInt8], _ error: SnapshotError) {
    let octets = goldenSnapshot.prefix(place) + octets + goldenSnapshot.dropFirst(place + octets.count)
    #expect(throws: error) { try restored(Array(octets)).get() }
  }

  @Test("A duplicate region is refused")
  func twice() {
    let octets = goldenSnapshot.prefix(5) + [2] + goldenSnapshot.dropFirst(6) + goldenSnapshot.dropFirst(6)
    #expect(throws: SnapshotError.invalid(.identifier, offset: 38)) { try restored(Array(octets)).get() }
  }

  @Test("A changed octet is refused, or the result is written back unchanged")
  func changed() {
    for place in goldenSnapshot.indices {
      for value in UInt8.min...UInt8.max {
        var octets = goldenSnapshot
        octets[place] = value
        if case .success(let monitor) = restored(octets) { #expect(monitor.snapshot == octets) }
      }
    }
  }

  @Test("A monitor restored from its snapshot has the same regions and states", arguments: UInt64(1)...20)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var monitor = RegionMonitor()
    _ = monitor.setListening(true, at: .zero)
    for step in 0..<60 {
      let time = Duration.seconds(step)
      let number = UInt16.random(in: 0...5, using: &random)
      _ = monitor.add(
        region("r\(number)", major: Bool.random(using: &random) ? number : nil), at: time)
      _ = monitor.sighted(
        BeaconIdentity(uuid: someUUID, major: .random(in: 0...5, using: &random), minor: 0), at: time)
    }
    let again = try RegionMonitor(snapshot: monitor.snapshot, at: .seconds(60))
    #expect(again.regions == monitor.regions)
    #expect(again.regions.allSatisfy { again.state(of: $0.identifier) == monitor.state(of: $0.identifier) })
    #expect(again.snapshot == monitor.snapshot)
  }
}
