import NearbyPosition
import NearbyRecordings

/// Runs a recording through a solver, in the order of time.
struct PositionReplay {
  /// An estimate, and the true place at its time if it was recorded.
  struct Row {
    var estimate: PositionEstimate
    var truth: SIMD3<Double>?
  }

  /// Least time between two rows, seconds.
  private static let interval = 0.02

  private var recording: PositionRecording
  private(set) var solver: PositionSolver

  init(
    _ recording: PositionRecording, usesInertial: Bool, bias: AnchorBias? = nil
  ) throws(PositionError) {
    self.recording = recording
    if !usesInertial { self.recording.inertial = [] }
    var options = PositionOptions()
    options.bias = bias
    solver = try PositionSolver(anchors: recording.positionAnchors, options: options)
  }

  /// - Parameter receive: Gets each row as soon as its measurements were read; returns whether to go on.
  mutating func run(_ receive: (Row) throws -> Bool) rethrows {
    var antenna = RecordedAntenna(recording)
    var reading = 0
    var latest = -Double.infinity
    for measurement in recording.measurements {
      let time = measurement.time
      while reading < recording.inertial.count, recording.inertial[reading].time <= time {
        let inertial = recording.inertial[reading]
        solver.add(
          InertialReading(
            time: inertial.time, rotationRate: inertial.rotationRate, acceleration: inertial.acceleration))
        reading += 1
      }
      solver.add(measurement)
      if time < latest, solver.estimate().time < latest {
        // The solver follows a clock that was set back.
        antenna = RecordedAntenna(recording)
        latest = -.infinity
      }
      guard time - latest >= Self.interval else { continue }
      latest = time
      let row = Row(estimate: solver.estimate(), truth: antenna.place(at: time))
      guard try receive(row) else { return }
    }
  }
}

extension PositionRecording {
  /// The anchors, for a solver.
  var positionAnchors: [PositionAnchor] { anchors.map { PositionAnchor(id: $0.id, position: $0.position) } }

  /// Differences and ranges merged by time. Each kind keeps the order of its file, even where its times go
  /// backwards.
  var measurements: [PositionMeasurement] {
    var merged: [PositionMeasurement] = []
    merged.reserveCapacity(differences.count + ranges.count)
    var next = 0
    func range(_ range: Range) -> PositionMeasurement {
      PositionMeasurement(time: range.time, kind: .range(to: range.anchor), metres: range.metres)
    }
    for difference in differences {
      while next < ranges.count, ranges[next].time <= difference.time {
        merged.append(range(ranges[next]))
        next += 1
      }
      merged.append(
        PositionMeasurement(
          time: difference.time, kind: .difference(from: difference.from, to: difference.to),
          metres: difference.metres))
    }
    return merged + ranges[next...].map(range)
  }
}
