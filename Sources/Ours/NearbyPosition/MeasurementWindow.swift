import NearbyStateOctets

/// A measurement whose anchors are known, by their numbers in the table.
struct CheckedMeasurement: Sendable {
  var time = 0.0
  /// `nil` for a range.
  var from: Int?
  var to = 0
  /// Metres.
  var metres = 0.0
  /// Standard deviation, metres.
  var sigma = 0.0
  /// By how much a range is likely too long because its path was blocked, metres. Used once, with a track, so it is not
  /// part of the solver's state.
  var lengthening = 0.0

  mutating func code(_ coder: inout StateCoder, anchors: Int) {
    coder.code(finite: &time)
    coder.code(&from, new: 0) { $0.code(&$1, in: 0...(anchors - 1)) }
    coder.code(&to, in: 0...(anchors - 1))
    coder.code(finite: &metres)
    coder.code(finite: &sigma)
  }

  /// The value expected at a place, metres, and its derivative by the place. The learned bias changes slowly,
  /// so its derivative is left out.
  func expected(at place: SIMD3<Double>, _ anchors: AnchorTable) -> (
    metres: Double, gradient: SIMD3<Double>
  ) {
    let (distance, direction) = Self.sight(place - anchors.place(to))
    let metres = distance + anchors.bias(to, direction, distance)
    guard let from else { return (metres, direction) }
    let (other, otherDirection) = Self.sight(place - anchors.place(from))
    return (metres - other - anchors.bias(from, otherDirection, other), direction - otherDirection)
  }

  /// Length and direction; at the anchor itself the direction is unknown and counts as none.
  private static func sight(_ across: SIMD3<Double>) -> (Double, SIMD3<Double>) {
    let length = (across * across).sum().squareRoot()
    return length > 1e-6 ? (length, across / length) : (length, .zero)
  }
}

/// The newest measurements, at most 64 and at most half a second old, or one second if there are few.
struct MeasurementWindow: Sendable {
  static let capacity = 64
  /// Allocated once.
  private var ring = [CheckedMeasurement](repeating: CheckedMeasurement(), count: capacity)
  private var next = 0
  private(set) var count = 0

  mutating func append(_ measurement: CheckedMeasurement) {
    ring[next] = measurement
    next = (next + 1) % Self.capacity
    count = min(count + 1, Self.capacity)
  }

  mutating func removeAll() { count = 0 }

  /// - Parameter anchors: How many there are.
  mutating func code(_ coder: inout StateCoder, anchors: Int) {
    coder.code(&next, in: 0...(Self.capacity - 1))
    coder.code(&count, in: 0...Self.capacity)
    // Only what counts is kept, so that a fresh track is small.
    for age in 0..<count {
      let place = (next + Self.capacity - 1 - age) % Self.capacity
      ring[place].code(&coder, anchors: anchors)
    }
  }

  /// The measurement `age` places before the newest.
  subscript(age: Int) -> CheckedMeasurement { ring[(next + Self.capacity - 1 - age) % Self.capacity] }

  /// How many of the newest measurements are fresh at a time.
  func fresh(at time: Double) -> Int {
    var fresh = 0
    while fresh < count {
      let age = time - self[fresh].time
      guard age <= (fresh < 16 ? 1.0 : 0.5) else { break }
      fresh += 1
    }
    return fresh
  }
}
