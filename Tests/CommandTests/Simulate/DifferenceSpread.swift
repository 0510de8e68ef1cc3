import NearbyRecordings

/// Errors of a recording's differences, metres.
struct DifferenceSpread {
  /// Ascending.
  let errors: [Double]
  var median: Double
  var robustSigma: Double
  /// Share that is off by more than 1 m.
  var wild: Double
  /// Robust spread of each pair's median over a second, and of the errors around it.
  var slow: Double
  var fast: Double

  init(_ recording: PositionRecording) {
    var places: [Int: SIMD3<Double>] = [:]
    for anchor in recording.anchors { places[anchor.id] = anchor.position }
    var antenna = RecordedAntenna(recording)
    var errors: [Double] = []
    var seconds: [[Int]: [Double]] = [:]
    for difference in recording.differences {
      guard let place = antenna.place(at: difference.time), let from = places[difference.from],
        let to = places[difference.to]
      else { continue }
      func distance(_ other: SIMD3<Double>) -> Double {
        ((place - other) * (place - other)).sum().squareRoot()
      }
      let error = difference.metres - distance(to) + distance(from)
      errors.append(error)
      seconds[[Int(difference.time), difference.from, difference.to], default: []].append(error)
    }
    self.errors = errors.sorted()
    let middle = Self.median(errors)
    median = middle
    robustSigma = 1.4826 * Self.median(errors.map { abs($0 - middle) })
    wild = Double(errors.filter { abs($0) > 1 }.count) / Double(max(errors.count, 1))
    let groups = seconds.values.filter { $0.count >= 5 }
    slow = 1.4826 * Self.median(groups.map { abs(Self.median($0)) })
    fast = Self.median(
      groups.map { group in
        let middle = Self.median(group)
        return 1.4826 * Self.median(group.map { abs($0 - middle) })
      })
  }

  /// The error below which a share of them lies, metres.
  func quantile(_ share: Double) -> Double {
    errors.isEmpty ? .nan : errors[min(Int(share * Double(errors.count)), errors.count - 1)]
  }

  static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }
}
