import NearbyMaths

/// Errors of anchors' measurements that last for days, as functions of the direction in which the tag is:
/// antennas, echoes of the room, survey errors.
///
/// `AnchorBiasLearner` learns it from recordings with known places. In directions where nothing was learned it
/// is the anchor's mean error, so that it does little harm on paths that no recording took.
public struct AnchorBias: Hashable, Sendable {
  /// The learned error of one anchor.
  public struct Entry: Identifiable, Hashable, Sendable {
    /// The anchor's id.
    public let id: Int
    /// The anchor's place while the error was learned, metres.
    public let position: SIMD3<Double>
    /// Factors of the error's terms, metres: twelve directions, a constant, and the distance.
    public let terms: [Double]
  }

  /// Number of terms of an entry.
  public static let termCount = 14
  /// Largest factor of a term, metres.
  public static let largestTerm = 10.0
  /// How far an anchor may be from its place in the recordings, metres.
  public static let largestShift = 0.3

  /// One entry for each anchor that was learned, sorted by id.
  public let entries: [Entry]

  /// - Parameter entries: Valid, each id once, sorted by id.
  init(sorted entries: [Entry]) { self.entries = entries }

  /// Restores entries that were saved.
  ///
  /// - Returns: `nil` if a number is not finite or too large, if an entry has not `termCount` terms, or if an
  ///   id appears twice.
  public init?(entries: [Entry]) {
    let isValid = entries.allSatisfy { entry in
      entry.terms.count == Self.termCount && entry.terms.allSatisfy { $0.magnitude <= Self.largestTerm }
        && entry.position.x.isFinite && entry.position.y.isFinite && entry.position.z.isFinite
    }
    guard isValid, Set(entries.map(\.id)).count == entries.count else { return nil }
    self.entries = entries.sorted { $0.id < $1.id }
  }

  /// The factors for each anchor of a table; zero for anchors that were not learned.
  func factors(for anchors: [PositionAnchor]) throws(PositionError) -> [SIMD16<Double>] {
    var known: [Int: Entry] = [:]
    for entry in entries { known[entry.id] = entry }
    var factors: [SIMD16<Double>] = []
    for anchor in anchors {
      var lanes = SIMD16<Double>.zero
      if let entry = known[anchor.id] {
        guard (entry.position - anchor.position).length <= Self.largestShift else {
          throw .anchorMoved(id: anchor.id)
        }
        // Bounded: an entry has `termCount` terms, fewer than lanes.
        for (lane, term) in entry.terms.enumerated() { lanes[lane] = term }
      }
      factors.append(lanes)
    }
    return factors
  }
}

extension AnchorBias.Entry {
  /// Restores an entry; `AnchorBias` checks the numbers.
  public init(savedID id: Int, position: SIMD3<Double>, terms: [Double]) {
    self.id = id
    self.position = position
    self.terms = terms
  }
}

/// The terms of a bias: bumps around twelve directions, each of which ends before its neighbours' centres'
/// far sides, a constant, and the distance.
enum BiasTerms {
  /// Lanes of the constant and of the distance; the twelve before them are directions.
  static let constant = 12
  static let distance = 13
  /// The squared chord between a direction and the end of a bump around another.
  private static let reach = 1.44
  /// Distance at which the distance's term is zero, metres, and that over which it changes by one.
  private static let middle = 5.0

  /// The corners of an icosahedron, in twelve lanes.
  private static let centres: (x: SIMD16<Double>, y: SIMD16<Double>, z: SIMD16<Double>) = {
    // The golden ratio φ; corners (0, ±1, ±φ) and its rotations, at unit length.
    let golden = 0.5 * (1 + 5.0.squareRoot())
    let scale = 1 / (1 + golden * golden).squareRoot()
    var (x, y, z) = (SIMD16<Double>.zero, SIMD16<Double>.zero, SIMD16<Double>.zero)
    for index in 0..<12 {
      let short = index & 1 == 0 ? scale : -scale
      let long = index & 2 == 0 ? golden * scale : -golden * scale
      switch index / 4 {
      case 0: (x[index], y[index], z[index]) = (0, short, long)
      case 1: (x[index], y[index], z[index]) = (short, long, 0)
      default: (x[index], y[index], z[index]) = (long, 0, short)
      }
    }
    return (x, y, z)
  }()

  /// The terms' values for a tag at `distance` metres in `direction`, a unit vector from the anchor.
  static func values(_ direction: SIMD3<Double>, _ distance: Double) -> SIMD16<Double> {
    let cosine = direction.x * centres.x + direction.y * centres.y + direction.z * centres.z
    let near = pointwiseMax(1 - (2 - 2 * cosine) / reach, SIMD16<Double>.zero)
    var values = near * near
    values[constant] = 1
    values[Self.distance] = min(max(distance / middle - 1, -1), 1)
    values[14] = 0
    values[15] = 0
    return values
  }
}
