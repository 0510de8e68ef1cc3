import NearbyEstimation
import NearbyRecordings
import NearbySounding

/// Parses octets as a recording of Channel Sounding. An accepted one is replayed.
func fuzzSoundingRecording(_ octets: [UInt8]) {
  do throws(RecordingError) {
    let recording = try SoundingRecording(octets, file: "fuzz.csv")
    var summary = SoundingReplaySummary()
    let offsets = SoundingValues(impulseResponse: -0.6, phaseSlope: 1, roundTrip: -1)
    recording.replay(offsets: offsets) { row in
      if let estimate = row.estimate {
        precondition(estimate.distance.isFinite && estimate.rate.isFinite, "an estimate is not finite")
        precondition(estimate.sigma.isFinite && estimate.sigma > 0, "a sigma is not finite or not above 0")
      }
      summary.add(row)
      return true
    }
    precondition(summary.rows == recording.rows.count, "a row is missing")
  } catch {
    precondition(!error.description.contains("\n"), "an error's text has more than one line: \(error)")
  }
}
