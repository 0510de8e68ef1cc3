import NearbyCommandLine
import NearbyRecordings
import NearbyScenarios
import NearbyTextForms

extension SimulateCommand {
  /// Differences that a recording has at most.
  private static let mostDifferences = 5_000_000.0

  /// Records a device that listens to anchors.
  func listen(
    _ scenario: Scenario, _ order: Scenario.AnchorOrder, _ context: CommandContext
  ) throws(CommandError) {
    let tag = try listener(scenario)
    let anchors = scenario.listenedAnchors.filter { $0.source != .device(tag) }
    guard anchors.count >= 3 else {
      throw .badData(
        "\(file): \(anchors.count) anchors; expected at least 3 in 'anchors', or 3 devices of kind accessory that "
          + "stand still")
    }
    let count = Double(anchors.count) * (scenario.duration / interval)
    guard count <= Self.mostDifferences else {
      throw .badData(
        "\(file): about \(NumberFormat.fixed(count, 0)) differences; at most "
          + "\(NumberFormat.fixed(Self.mostDifferences, 0)) are recorded, use a longer \(Options.interval)")
    }
    let plan = Scenario.ListeningPlan(device: tag, anchors: anchors, round: interval, order: order)
    guard let recording = scenario.listening(plan, isCancelled: { context.interrupt.isRaised }) else {
      throw .interrupted
    }
    guard !recording.differences.isEmpty else {
      throw .badData("\(file): '\(scenario.devices[tag].name)' heard no two anchors; nothing was written")
    }
    try folder.write(recording)
    context.errors.line(
      "\(folder.path): \(recording.differences.count) differences of \(anchors.count) anchors, seed "
        + "\(scenario.seed)")
  }

  /// The device that listens: the named one, or the first that is no anchor.
  private func listener(_ scenario: Scenario) throws(CommandError) -> Int {
    let anchors = scenario.listenedAnchors.map(\.source)
    guard let device else {
      let first = scenario.devices.indices.first { !anchors.contains(.device($0)) }
      if let first { return first }
      throw .badData("\(file): every device is an anchor; name the one that listens with \(Options.device)")
    }
    if let found = scenario.devices.firstIndex(where: { $0.name == device }) { return found }
    let known = scenario.devices.map(\.name).joined(separator: ", ")
    throw .badData("\(Options.device): found '\(device)', expected one of \(known)")
  }
}
