import NearbyExchange
import NearbyRecordings
import NearbySchedule
import NearbySimulator

/// Repeats a recording in the simulated world: the same path, objects, antennas and times, but simulated radios.
///
/// The result has the recording's form, so whatever reads one reads the other, and the two can be compared row by row.
/// It needs the recording's true path and the objects' positions; ranges to other objects are left out. Where a pair
/// of the recording missed a range, the simulation attempts one, so that simulated losses can be counted like recorded
/// ones.
///
/// A text column `material` states what blocked a row's path: names of materials joined by `+`, such as
/// `concrete+body`; empty or `none` for a clear path.
package struct SimulatedRecording {
  /// How a repetition differs from the recording's place.
  package struct Options: Sendable {
    /// The radio at both ends.
    package var radio: RadioCharacteristics
    /// How much weaker all echoes together are than an unobstructed direct path, dB.
    package var echoLoss: Double
    package var seed: UInt64
    /// Added to every range: the constant delay of the recording's radios, metres.
    package var rangeOffset: Double

    package init(
      radio: RadioCharacteristics = .module, echoLoss: Double = 8, seed: UInt64 = 1, rangeOffset: Double = 0
    ) {
      self.radio = radio
      self.echoLoss = echoLoss
      self.seed = seed
      self.rangeOffset = rangeOffset
    }
  }

  /// One range to attempt.
  private struct Attempt {
    var time: Duration
    var pair: RecordedPair
    var material: String
  }

  private let recording: Recording
  private let options: Options
  private var world: SimulatedWorld
  /// Radio of each antenna and object by name.
  private var antennas: [String: Int] = [:]
  private var objects: [String: Int] = [:]
  private var bodies: [String: BodyID] = [:]

  /// - Returns: `nil` if the recording has no true path, or none of its ranges goes to an object of known position.
  package init?(_ recording: Recording, options: Options) {
    guard !recording.truePath.isEmpty, !recording.objects.isEmpty else { return nil }
    self.recording = recording
    self.options = options
    world = SimulatedWorld(seed: options.seed)
    world.echoLoss = options.echoLoss
    let path = recording.truePath.map { pose in
      RecordedPath.Point(
        seconds: pose.time.inSeconds, position: pose.position,
        worldFromDevice: Rotation(quaternion: pose.orientation))
    }
    let device = world.addBody(.recorded(RecordedPath(path)), facing: .recorded)
    let tags = recording.tags.isEmpty ? [RecordedPoint(name: "", position: .zero)] : recording.tags
    for tag in tags {
      antennas[tag.name] = world.addRadio(
        on: device, antennaInDevice: tag.position, options.radio, identity: StableHash.of("tag " + tag.name))
    }
    for object in recording.objects {
      let body = world.addBody(.standing(object.position), facing: .fixed(Rotation(heading: 0)))
      bodies[object.name] = body
      objects[object.name] = world.addRadio(
        on: body, options.radio, identity: StableHash.of("object " + object.name))
    }
    guard recording.ranges.contains(where: { objects[$0.object] != nil }) else { return nil }
  }

  /// The repetition: ranges with `rx_dbm`, `fp_dbm`, `looks_nlos` and angles; paths, objects and antennas as recorded.
  package mutating func run() -> Recording {
    var result = recording
    (result.ranges, result.extraColumns) = ([], [])
    var rows: [(view: ReceiverView?, material: String)] = []
    for attempt in attempts() {
      guard let first = antennas[attempt.pair.tag ?? ""] ?? antennas.values.min(),
        let second = objects[attempt.pair.object]
      else { continue }
      world.setObstruction(Self.materials(attempt.material))
      let outcome = world.exchange(
        ExchangePlan(
          initiator: RadioID(index: first), responder: RadioID(index: second), channel: 5, start: attempt.time
        ))
      guard let range = outcome.distance else { continue }
      let truth = world.truth(from: first, to: second, at: attempt.time).range
      result.ranges.append(
        RecordedRange(
          time: attempt.time, tag: attempt.pair.tag, object: attempt.pair.object,
          range: range + options.rangeOffset, trueRange: truth))
      rows.append((outcome.atInitiator, attempt.material))
    }
    result.extraColumns = Self.columns(rows)
    result.meta["ranges"] = .text("simulated along the recording's path")
    result.meta["simulation_seed"] = .text("\(options.seed)")
    return result
  }

  /// Repeats the recording's rows as Bluetooth advertisements from the device to the objects; their power is the
  /// column `rssi_dbm`, and `range_m` the true distance.
  package mutating func runLowEnergy() -> Recording {
    var result = recording
    (result.ranges, result.extraColumns) = ([], [])
    var powers: [Double] = []
    let device = world.body(ofRadio: antennas.values.min() ?? 0)
    var sent = 0
    for row in recording.ranges {
      guard let object = bodies[row.object] else { continue }
      sent += 1
      // Advertisements are received on the three channels alike.
      let power = world.lowEnergyPower(
        from: LowEnergyRadio(body: device, identity: 1),
        to: LowEnergyRadio(body: object, identity: StableHash.of(row.object)),
        channel: UInt8(37 + sent % 3), at: row.time)
      guard let power else { continue }
      let path =
        world.pose(of: device, at: row.time).positionInWorld
        - world.pose(of: object, at: row.time).positionInWorld
      var range = row
      range.range = (path * path).sum().squareRoot()
      range.trueRange = range.range
      result.ranges.append(range)
      powers.append(power.rounded())
    }
    result.extraColumns = [RecordedColumn(name: "rssi_dbm", values: .numbers(powers))]
    result.meta["ranges"] = .text("true distances; rssi_dbm is simulated")
    return result
  }

  // MARK: What to attempt

  /// The recording's rows, and one attempt for each range that a pair missed, by time.
  private func attempts() -> [Attempt] {
    let materials = materialColumn()
    var pairs: [RecordedPair: [Int]] = [:]
    for (row, entry) in recording.ranges.enumerated() { pairs[entry.pair, default: []].append(row) }
    var attempts = recording.ranges.enumerated().map { row, entry in
      Attempt(time: entry.time, pair: entry.pair, material: materials[row])
    }
    for (pair, rows) in pairs {
      let steps = zip(rows, rows.dropFirst()).map { recording.ranges[$1].time - recording.ranges[$0].time }
      guard steps.count > 4 else { continue }
      let interval = steps.sorted()[steps.count / 2]
      guard interval > .zero else { continue }
      for (row, step) in zip(rows, steps) where step > interval * 1.6 && step < interval * 20 {
        let missed = Int((step / interval).rounded()) - 1
        for number in 1...max(1, missed) {
          attempts.append(
            Attempt(
              time: recording.ranges[row].time + step * (Double(number) / Double(missed + 1)), pair: pair,
              material: materials[row]))
        }
      }
    }
    return attempts.sorted {
      ($0.time, $0.pair.object, $0.pair.tag ?? "") < ($1.time, $1.pair.object, $1.pair.tag ?? "")
    }
  }

  private func materialColumn() -> [String] {
    for column in recording.extraColumns where column.name == "material" {
      if case .text(let text) = column.values, text.count == recording.ranges.count { return text }
    }
    return [String](repeating: "", count: recording.ranges.count)
  }

  /// The sum of the named materials; `nil` for a clear path.
  static func materials(_ names: String) -> Material? {
    guard !names.isEmpty, names != "none" else { return nil }
    var sum = Material(attenuation: 0, delay: 0, excess: 0)
    for name in names.split(separator: "+") {
      guard let material = Material.named(String(name)) else { continue }
      sum.attenuation += material.attenuation
      sum.delay += material.delay
      sum.excess += material.excess
    }
    return sum
  }

  private static func columns(_ rows: [(view: ReceiverView?, material: String)]) -> [RecordedColumn] {
    func numbers(_ name: String, _ value: (ReceiverView) -> Double?) -> RecordedColumn {
      RecordedColumn(name: name, values: .numbers(rows.map { row in row.view.flatMap(value) ?? .nan }))
    }
    var columns = [
      numbers("rx_dbm") { $0.rssiDBm }, numbers("fp_dbm") { $0.firstPathDBm },
      numbers("looks_nlos") { $0.looksNonLineOfSight ? 1 : 0 },
      numbers("azimuth_deg") { $0.angle.map { $0.azimuth * 180 / .pi } },
      numbers("elevation_deg") { $0.angle.map { $0.elevation * 180 / .pi } },
    ]
    if rows.contains(where: { !$0.material.isEmpty }) {
      columns.append(RecordedColumn(name: "material", values: .text(rows.map(\.material))))
    }
    return columns
  }
}
