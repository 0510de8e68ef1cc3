import NearbyBeacons
import NearbyBluetooth
import NearbyRecordings

/// Parses octets as an advertising payload. Every frame must survive a round trip, and `first` must be the
/// first of them.
func fuzzBeaconFrames(_ octets: [UInt8]) {
  let whole = frames(octets)
  for frame in whole.found {
    var again: [UInt8] = []
    frame.write(to: &again)
    precondition(frames(again).found == [frame], "a frame changes when it is written and read back: \(frame)")
    precondition(frames(again).error == nil, "a frame cannot be read back from its own octets: \(frame)")
  }
  precondition((try? first(octets)) == whole.found.first, "the first frame depends on how it is parsed")
  if case .overrun(let offset, _, let left)? = whole.error {
    precondition(offset + 1 + left == octets.count, "an error has the wrong offset")
  }
  _ = whole.error?.description
  _ = BeaconFrame.frames(of: Advertisement(payload: octets.span, isConnectable: false))
}

private func first(_ octets: [UInt8]) throws(BeaconFrameError) -> BeaconFrame? {
  try BeaconFrame.first(in: octets.span)
}

private func frames(_ octets: [UInt8]) -> (found: [BeaconFrame], error: BeaconFrameError?) {
  var found: [BeaconFrame] = []
  do throws(BeaconFrameError) {
    try BeaconFrame.forEach(in: octets.span) { found.append($0) }
    return (found, nil)
  } catch {
    return (found, error)
  }
}

/// Parses octets as a snapshot of regions. An accepted one must have a single form and yield a working
/// monitor.
func fuzzRegionSnapshot(_ octets: [UInt8]) {
  do throws(SnapshotError) {
    var monitor = try RegionMonitor(snapshot: octets, at: .seconds(100))
    precondition(monitor.snapshot == octets, "a snapshot is written differently than it was read")
    _ = monitor.setListening(true, at: .seconds(200))
    for region in monitor.regions.prefix(4) {
      let constraint = region.constraint
      let beacon = BeaconIdentity(
        uuid: constraint.uuid, major: constraint.major ?? 1, minor: constraint.minor ?? 2)
      _ = monitor.sighted(beacon, at: .seconds(201))
      precondition(
        monitor.state(of: region.identifier) == .inside, "a received beacon did not enter its region")
    }
    _ = monitor.timePassed(at: .seconds(100_000))
    precondition(
      monitor.regions.allSatisfy { monitor.state(of: $0.identifier) == .outside },
      "a region is still entered after its beacons fell silent")
  } catch {
    _ = error.description
  }
}

/// Parses octets as a recording of RSSI. An accepted one is replayed, for each receiver alone and for all
/// together.
func fuzzRSSIRecording(_ octets: [UInt8]) {
  do throws(RecordingError) {
    let recording = try RSSIRecording(octets, file: "fuzz.csv")
    for isAlone in [true, false] {
      let rows = BeaconReplay(recording, power: nil, isAlone: isAlone, guesses: 20).rows()
      precondition(rows.count == recording.samples.count, "a row is missing")
      for row in rows {
        precondition(row.distance?.isFinite != false, "a distance is not finite")
        precondition(row.sigma.map { $0.isFinite && $0 > 0 } != false, "a sigma is not finite or not above 0")
      }
      _ = BeaconReplaySummary(rows)
    }
  } catch {
    precondition(!error.description.contains("\n"), "an error's text has more than one line: \(error)")
  }
}
