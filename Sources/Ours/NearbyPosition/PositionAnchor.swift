import NearbyMaths

/// A radio at a known place.
public struct PositionAnchor: Identifiable, Hashable, Sendable {
  /// The number that measurements use for this anchor, for example its address.
  public let id: Int
  /// Place of its antenna in the anchors' frame, metres; z points up if inertial readings are used.
  public let position: SIMD3<Double>
  /// Standard deviation of the surveyed place along the line to the tag, metres, 0 or more.
  public let surveySigma: Double

  /// The storey that the anchor is on, if it says so.
  public let floor: AnchorFloor?

  /// Creates an anchor; a solver checks the numbers.
  public init(
    id: Int, position: SIMD3<Double>, surveySigma: Double = 0, floor: AnchorFloor? = nil
  ) {
    self.id = id
    self.position = position
    self.surveySigma = surveySigma
    self.floor = floor
  }
}

/// The storey of an anchor, as downlink messages announce it (FiRa, anchor location with Z element).
public struct AnchorFloor: Hashable, Sendable {
  /// The storey's number; a mezzanine may be halfway between two.
  public let number: Double
  /// Height of the anchor above the storey's floor, metres.
  public let heightAboveFloor: Double

  /// Creates a storey; a solver checks the numbers.
  public init(number: Double, heightAboveFloor: Double) {
    self.number = number
    self.heightAboveFloor = heightAboveFloor
  }
}

/// The reason why a list of anchors can't be used.
public enum PositionError: Error, Hashable, Sendable {
  /// Fewer than three anchors.
  case tooFewAnchors(count: Int)
  /// Two anchors with the same id.
  case duplicateAnchor(id: Int)
  /// A coordinate, survey sigma or storey that is not finite or beyond 1000 km, or a negative sigma.
  case invalidAnchor(id: Int)
  /// Two anchors less than 1 cm apart.
  case anchorsCoincide(Int, Int)
  /// An anchor is not where it was when its bias was learned.
  case anchorMoved(id: Int)
}

extension PositionError: CustomStringConvertible {
  /// A sentence without a full stop.
  public var description: String {
    switch self {
    case .tooFewAnchors(let count): "\(count) anchors; a position needs at least 3"
    case .duplicateAnchor(let id): "anchor \(id) appears twice"
    case .invalidAnchor(let id): "anchor \(id): expected finite metres within 1000 km"
    case .anchorsCoincide(let a, let b): "anchors \(a) and \(b) are at the same place"
    case .anchorMoved(let id): "anchor \(id) is not where it was when its bias was learned; learn it again"
    }
  }
}

/// The anchors of a solver: their places by number, checked once.
struct AnchorTable: Sendable {
  let anchors: [PositionAnchor]
  private let numbers: [Int: Int]
  /// Factors of all anchors' learned biases, one anchor after another; empty without one.
  private let biases: [Double]
  /// Numbers of the anchors whose biases were learned.
  private let learned: [Int]
  /// The storeys that the anchors announce.
  let storeys: Storeys
  /// The box in which positions are believed, metres.
  private let low: SIMD3<Double>
  private let high: SIMD3<Double>

  /// Closest that two anchors may be, metres.
  private static let closest = 0.01
  /// Farthest coordinate, metres: beyond it, squares lose millimetres.
  private static let farthest = 1e6

  init(
    _ anchors: [PositionAnchor], heights: ClosedRange<Double>?, bias: AnchorBias? = nil
  ) throws(PositionError) {
    guard anchors.count >= 3 else { throw .tooFewAnchors(count: anchors.count) }
    var numbers: [Int: Int] = [:]
    for (number, anchor) in anchors.enumerated() {
      let limits = -Self.farthest...Self.farthest
      guard (0..<3).allSatisfy({ limits.contains(anchor.position[$0]) }),
        (0...Self.farthest).contains(anchor.surveySigma),
        anchor.floor.map({ limits.contains($0.number) && limits.contains($0.heightAboveFloor) }) ?? true
      else { throw .invalidAnchor(id: anchor.id) }
      guard numbers.updateValue(number, forKey: anchor.id) == nil else {
        throw .duplicateAnchor(id: anchor.id)
      }
    }
    // Sorted along x, so that only neighbours are compared: thousands of anchors must not take seconds.
    let sorted = anchors.sorted { ($0.position.x, $0.id) < ($1.position.x, $1.id) }
    for (index, anchor) in sorted.enumerated() {
      for other in sorted[(index + 1)...] {
        guard other.position.x - anchor.position.x < Self.closest else { break }
        let across = other.position - anchor.position
        guard (across * across).sum() >= Self.closest * Self.closest else {
          throw .anchorsCoincide(min(anchor.id, other.id), max(anchor.id, other.id))
        }
      }
    }
    self.anchors = anchors
    self.numbers = numbers
    biases = try bias?.factors(for: anchors) ?? []
    let ids = Set(bias?.entries.map(\.id) ?? [])
    learned = anchors.indices.filter { ids.contains(anchors[$0].id) }
    storeys = Storeys(anchors)
    (low, high) = Self.reach(anchors.map(\.position), heights)
  }

  /// The box around the anchors, and as far around it as signals can tell: half its diagonal to the sides;
  /// upwards and downwards one metre, or four if all anchors are at one height.
  private static func reach(
    _ places: [SIMD3<Double>], _ heights: ClosedRange<Double>?
  ) -> (low: SIMD3<Double>, high: SIMD3<Double>) {
    var low = SIMD3(repeating: Double.infinity)
    var high = SIMD3(repeating: -Double.infinity)
    for place in places {
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    let size = high - low
    let side = max(3, 0.5 * (size * size).sum().squareRoot())
    let margin = SIMD3(side, side, max(1, 4 - size.z))
    (low, high) = (low - margin, high + margin)
    if let heights { (low.z, high.z) = (heights.lowerBound - 1, heights.upperBound + 1) }
    return (low, high)
  }

  /// Whether a tag can be at a place. Signals along a floor arrive late, and put a tag that lies there metres
  /// above all anchors.
  func reaches(_ place: SIMD3<Double>) -> Bool {
    (0..<3).allSatisfy { place[$0] >= low[$0] && place[$0] <= high[$0] }
  }

  /// The number of an anchor in `anchors`.
  func number(of id: Int) -> Int? { numbers[id] }

  func place(_ number: Int) -> SIMD3<Double> { anchors[number].position }

  var hasBiases: Bool { !biases.isEmpty }

  /// The learned error of an anchor's measurements of a tag at `distance` metres in `direction`, a unit
  /// vector from the anchor, metres.
  func bias(_ number: Int, _ direction: SIMD3<Double>, _ distance: Double) -> Double {
    guard !biases.isEmpty else { return 0 }
    return BiasTerms(direction, distance).sum(biases, at: number * AnchorBias.termCount)
  }

  /// By how much the learned errors of all anchors together would lift a position, metres.
  ///
  /// Anchors that hang within a few metres of height determine the height badly, so that small errors of a
  /// bias lift the position far: in recordings, biases improve the plan on paths that taught nothing, and
  /// harm the height. What this returns is therefore taken out of the biases again.
  func lift(at place: SIMD3<Double>) -> Double {
    var middle = SIMD3<Double>.zero
    var mean = 0.0
    guard learned.count >= 4 else { return 0 }
    let count = Double(learned.count)
    for number in learned {
      let (direction, bias) = sight(number, from: place)
      middle += direction
      mean += bias
    }
    middle /= count
    mean /= count
    var normal = NormalEquations()
    for number in learned {
      let (direction, bias) = sight(number, from: place)
      normal.add(direction - middle, bias - mean, weight: 1)
    }
    return normal.damped(by: 0.01).solution()?.z ?? 0
  }

  private func sight(_ number: Int, from place: SIMD3<Double>) -> (direction: SIMD3<Double>, bias: Double) {
    let across = place - self.place(number)
    let direction = across.normalised(or: .zero)
    return (direction, bias(number, direction, across.length))
  }
}
