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

  /// The factors of all anchors of a table, one after another; zero for anchors that were not learned.
  func factors(for anchors: [PositionAnchor]) throws(PositionError) -> [Double] {
    var known: [Int: Entry] = [:]
    for entry in entries { known[entry.id] = entry }
    var factors: [Double] = []
    for anchor in anchors {
      guard let entry = known[anchor.id] else {
        factors += [Double](repeating: 0, count: Self.termCount)
        continue
      }
      guard (entry.position - anchor.position).length <= Self.largestShift else {
        throw .anchorMoved(id: anchor.id)
      }
      factors += entry.terms
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

/// The terms of a bias: bumps around twelve directions, the corners of an icosahedron, a constant, and the
/// distance.
///
/// A bump reaches less than 90° far, so of two opposite corners at most one counts: six values are enough.
struct BiasTerms {
  /// Places of the constant and of the distance among an anchor's factors; the twelve before are directions.
  static let constant = 12
  static let distance = 13
  /// The squared chord between a direction and the end of a bump around another.
  private static let reach = 1.44
  /// Distance at which the distance's term is zero, metres, and that over which it changes by one.
  private static let middle = 5.0
  /// Coordinates of a corner at unit length: 1 and the golden ratio, divided by the length of both.
  private static let short = 0.525_731_112_119_133_6
  private static let long = 0.850_650_808_352_039_9

  /// Which corners count, 0 to 11, and their bumps' values, 0 to 1.
  private(set) var corners = InlineArray<6, Int>(repeating: 0)
  private(set) var values = InlineArray<6, Double>(repeating: 0)
  /// Value of the distance's term, −1 to 1.
  private(set) var farness: Double

  /// - Parameters:
  ///   - direction: Unit vector from the anchor to the tag.
  ///   - distance: Metres.
  @inline(__always)
  init(_ direction: SIMD3<Double>, _ distance: Double) {
    farness = min(max(distance / Self.middle - 1, -1), 1)
    add(0, direction.y, direction.z)
    add(1, direction.x, direction.y)
    add(2, direction.z, direction.x)
  }

  /// The two pairs of opposite corners in one plane of the axes.
  @inline(__always)
  private mutating func add(_ plane: Int, _ across: Double, _ along: Double) {
    let (one, two) = (Self.short * across, Self.long * along)
    add(2 * plane, two + one, 4 * plane, 4 * plane + 3)
    add(2 * plane + 1, two - one, 4 * plane + 1, 4 * plane + 2)
  }

  @inline(__always)
  private mutating func add(_ index: Int, _ cosine: Double, _ corner: Int, _ opposite: Int) {
    let near = max(0, 1 - (2 - 2 * cosine.magnitude) / Self.reach)
    corners[index] = cosine > 0 ? corner : opposite
    values[index] = near * near
  }

  /// The sum of the terms with an anchor's factors, which start at `base`.
  @inline(__always)
  func sum(_ factors: [Double], at base: Int) -> Double {
    var sum = factors[base + Self.constant] + farness * factors[base + Self.distance]
    for index in 0..<6 { sum += values[index] * factors[base + corners[index]] }
    return sum
  }
}
