import Foundation
import NearbyDeviceMachine
import NearbyEstimation
import NearbyRecordings
import NearbyScenarios
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyTextForms

extension WorldLog {
  /// Writes what happened into a folder: for each world and phone a recording, which `nearby replay` reads, and all
  /// events as JSON lines.
  ///
  /// - Returns: The folder of the first world; `nil` if no world had an event.
  package func write(to folder: URL) throws -> URL? {
    var first: URL?
    let runs = runs.filter { !$0.events.isEmpty }
    for (index, run) in runs.enumerated() {
      let place = runs.count == 1 ? folder : folder.appendingPathComponent("world-\(index + 1)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data(Self.lines(run).utf8).write(to: place.appendingPathComponent("events.jsonl"), options: .atomic)
      for name in Set(run.events.map(\.device)).sorted() {
        let recording = Self.recording(of: name, run)
        if recording.ranges.isEmpty { continue }
        try recording.write(to: place.appendingPathComponent(FileName.of(name)))
      }
      first = first ?? place
    }
    return first
  }

  /// The distances delivered to one phone's apps with the true ones, and its path.
  private static func recording(of name: String, _ run: Run) -> Recording {
    var recording = Recording(
      ranges: [], tags: [RecordedPoint(name: "0", position: .zero)],
      meta: [
        "source": .text("simulated"), "device": .text(name), "seed": .number(Double(run.seed)),
        "ranges": .text("as the app was told them"),
      ])
    for event in run.events where event.device == name {
      let pose = RecordedPose(event.logged.pose, at: event.logged.time)
      if recording.truePath.last?.time != pose.time { recording.truePath.append(pose) }
      guard let distance = event.logged.event.distance, let peer = event.peer else { continue }
      recording.ranges.append(
        RecordedRange(
          time: event.logged.time, tag: "0", object: peer, range: distance,
          trueRange: event.logged.truth?.range))
    }
    return recording
  }

  private static func lines(_ run: Run) -> String {
    var text = ""
    for event in run.events {
      var line = JSONLine()
      line.add("t", event.logged.time.inSeconds, decimals: 6)
      line.add("device", text: event.device)
      line.add("peer", text: event.peer)
      line.add("event", text: event.logged.event.word)
      line.add("distance", event.logged.event.distance, decimals: 4)
      line.add("trueDistance", event.logged.truth?.range, decimals: 4)
      if let truth = event.logged.truth { line.add("lineOfSight", truth.isLineOfSight) }
      text += line.closed() + "\n"
    }
    if run.dropped > 0 {
      var line = JSONLine()
      line.add("dropped", run.dropped)
      text += line.closed() + "\n"
    }
    return text
  }
}

/// Names of files and folders made of names of tests and phones.
package enum FileName {
  private static let longest = 80

  /// The name with everything but letters, digits, dashes and points inside replaced by dashes.
  package static func of(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars.prefix(longest) {
      let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      text.unicodeScalars.append(isPlain || scalar == "-" || scalar == "_" ? scalar : "-")
    }
    // Names that differ only in replaced characters keep apart.
    return text == name && !text.isEmpty ? text : "\(text)-\(StableHash.of(name) % 0x10000)"
  }
}

extension SessionEvent {
  fileprivate var distance: Double? {
    switch self {
    case .updated(let estimate), .assisted(let estimate, _): estimate.distance?.distance
    case .anchorsHeard, .convergence, .removed, .suspended, .suspensionEnded, .startedRunning, .invalidated,
      .shareable, .sounds:
      nil
    }
  }

  fileprivate var word: String {
    switch self {
    case .updated, .assisted: "update"
    case .anchorsHeard: "anchors"
    case .convergence: "convergence"
    case .removed(.timeout): "removed after a timeout"
    case .removed(.peerEnded): "removed as the peer ended"
    case .suspended: "suspended"
    case .suspensionEnded: "suspension ended"
    case .startedRunning: "running"
    case .invalidated(let failure): "invalidated: \(failure)"
    case .shareable: "shareable data"
    case .sounds: "channel sounding"
    }
  }
}
