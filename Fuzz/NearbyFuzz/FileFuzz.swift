import Foundation
import NearbyExchange
import NearbyRadioLinks
import NearbyRecordings
import NearbyScenarios
import NearbySimulator

/// Parses octets as a scenario file. An accepted one must yield a world that runs.
func fuzzScenario(_ octets: [UInt8]) {
  do throws(ScenarioError) {
    let scenario = try Scenario(parsing: Data(octets), file: "fuzz.json")
    var world = SimulatedWorld(scenario)
    for event in scenario.events.prefix(20) { world.perform(event) }
    let count = min(scenario.devices.count, 4)
    for step in 0..<4 where count >= 2 {
      let start = Duration.milliseconds(step * 900)
      let outcome = world.exchange(
        ExchangePlan(initiator: RadioID(index: 0), responder: RadioID(index: count - 1), start: start))
      precondition(outcome.distance?.isFinite != false, "a distance is not finite")
    }
  } catch {
    precondition(error.line >= 1 && error.column >= 1, "an error has no line or column: \(error)")
    precondition(!error.description.contains("\n"), "an error's text has more than one line: \(error)")
  }
}

/// One folder for each file that is fuzzed, in which the other files are valid. On a file system in memory if
/// there is one.
private let recordingFolders: [URL] = soundFiles.indices.map { fuzzed in
  let folder = recordingHome.appendingPathComponent("\(fuzzed)")
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for (index, file) in soundFiles.enumerated() where index != fuzzed {
    try? Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name))
  }
  return folder
}

private let recordingHome: URL = {
  let memory = URL(fileURLWithPath: "/dev/shm")
  let isThere = FileManager.default.isWritableFile(atPath: memory.path)
  let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
    .appendingPathComponent("nearby-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
  atexit { try? FileManager.default.removeItem(at: recordingHome) }
  return folder
}()

/// The files of a valid recording. A fuzzed input replaces one of them.
private let soundFiles: [(name: String, text: String)] = [
  ("ranges.csv", "t_s,tag_id,object_id,range_m\n0,L,a,1.5\n0.1,L,a,1.6\n0.2,R,a,1.4\n0.4,L,b,7\n"),
  ("traj_gt.csv", "t_s,px_m,py_m,pz_m,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,1\n"),
  ("objects_gt.csv", "object_id,x_m,y_m,z_m\na,1,2,3\nb,4,5,6\n"),
  ("tags.csv", "tag_id,bx_m,by_m,bz_m\nL,0.1,0,0\nR,-0.1,0,0\n"),
  ("meta.json", "{\"name\": \"fuzz\"}"),
]

/// Parses octets as one file of a recording, which the first octet selects. An accepted recording is
/// replayed.
func fuzzRecording(_ octets: [UInt8]) {
  guard let first = octets.first else { return }
  let fuzzed = Int(first) % soundFiles.count
  let folder = recordingFolders[fuzzed]
  // Written in place, because an atomic write costs ten times as much.
  guard
    (try? Data(octets.dropFirst()).write(to: folder.appendingPathComponent(soundFiles[fuzzed].name))) != nil
  else { preconditionFailure("\(folder.path) cannot be written") }
  guard let recording = try? Recording(folder: folder) else { return }
  for row in recording.replay() {
    precondition(row.distance?.isFinite != false, "a distance is not finite")
  }
  recording.locate(along: .truth) { row in
    let told = ReplayRow(row)
    precondition(told.distance?.isFinite != false, "a distance is not finite")
    precondition((told.sigma ?? 1) > 0, "a sigma is not above 0")
    return true
  }
}

/// Parses octets as the address of a radio. An accepted address must parse to itself when written as text.
func fuzzRadioAddress(_ octets: [UInt8]) {
  let text = String(decoding: octets, as: UTF8.self)
  guard let address = try? RadioAddress(text) else { return }
  let again = try? RadioAddress(address.description)
  precondition(again == address, "an address changes when it is written and read back: \(address)")
}

/// Parses octets as poses in the TUM format. The result must be the same in pieces and at once, and the poses
/// must be valid and in order.
func fuzzPoses(_ octets: [UInt8]) {
  func read(_ pieces: [ArraySlice<UInt8>]) -> (poses: [RecordedPose], error: RecordingError?) {
    var reader = TUMPoseReader(longestLine: 200)
    var poses: [RecordedPose] = []
    do throws(RecordingError) {
      for piece in pieces { try reader.append(piece, to: &poses) }
      if let last = try reader.finish() { poses.append(last) }
      return (poses, nil)
    } catch {
      precondition(!error.description.contains("\n"), "an error's text has more than one line: \(error)")
      return (poses, error)
    }
  }
  let whole = read([octets[...]])
  let size = 1 + Int(octets.first ?? 0) % 50
  let pieces = read(
    stride(from: 0, to: octets.count, by: size).map { octets[$0..<min($0 + size, octets.count)] })
  precondition(
    whole.poses == pieces.poses && whole.error == pieces.error,
    "poses depend on how octets are divided into chunks")
  for (before, after) in zip(whole.poses, whole.poses.dropFirst()) {
    precondition(before.time <= after.time, "time goes backwards")
  }
  for pose in whole.poses {
    precondition((pose.position * pose.position).sum().isFinite, "a position is not finite")
    precondition(
      ((pose.orientation * pose.orientation).sum() - 1).magnitude < 1e-6,
      "an orientation is not a unit quaternion")
  }
}
