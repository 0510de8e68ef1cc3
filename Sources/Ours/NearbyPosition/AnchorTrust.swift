import NearbyStateOctets

/// Which anchors the measurements have convicted of an error of their own: a wrong place, a swapped label, a
/// clock in the wrong time base.
///
/// A robust filter resists such an anchor, but not for ever: if it is heard often, it pulls. Its measurements
/// deviate with every partner, those of the others only with it, so the anchor with the largest mean
/// deviation is set aside. One at a time: afterwards the others' deviations start afresh. An anchor that
/// agrees again is trusted again.
struct AnchorTrust: Sendable {
  /// Mean square deviation of each anchor's measurements, in expected variances.
  private var squares: [Double]
  private var isAside: [Bool]
  private var asideCount = 0
  private var heardCount = 0
  private var lastVerdict = -Double.infinity

  /// A square counts at most this much.
  private static let limit = 16.0
  /// Share of a new square in the mean: some 50 measurements count.
  private static let share = 0.02
  private static let usual = 0.6
  /// Mean squares from which an anchor is set aside, and below which it is trusted again.
  private static let guilty = 9.0
  private static let innocent = 1.5
  /// Least time between two verdicts, seconds.
  private static let patience = 1.0
  /// Anchors that remain at least; nor is more than a third set aside.
  private static let fewest = 5

  init(anchors count: Int) {
    squares = Array(repeating: .nan, count: count)
    isAside = Array(repeating: false, count: count)
  }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&squares)
    for index in isAside.indices { coder.code(&isAside[index]) }
    coder.code(&lastVerdict)
    asideCount = isAside.count { $0 }
    heardCount = squares.count { !$0.isNaN }
  }

  func trusts(_ measurement: CheckedMeasurement) -> Bool {
    !isAside[measurement.to] && !(measurement.from.map { isAside[$0] } ?? false)
  }

  /// Adds a deviation from the track, and reconsiders whom to trust.
  mutating func add(_ square: Double, of measurement: CheckedMeasurement) {
    let isDoubted = !trusts(measurement)
    add(square, of: measurement.to, isDoubted: isDoubted, at: measurement.time)
    if let from = measurement.from {
      add(square, of: from, isDoubted: isDoubted, at: measurement.time)
    }
  }

  private mutating func add(_ square: Double, of anchor: Int, isDoubted: Bool, at time: Double) {
    // A doubted anchor must not drag its partner along.
    guard !isDoubted || isAside[anchor] else { return }
    if squares[anchor].isNaN {
      squares[anchor] = Self.usual
      heardCount += 1
    }
    squares[anchor] += Self.share * (min(square, Self.limit) - squares[anchor])
    if isAside[anchor], squares[anchor] < Self.innocent { restore(anchor) }
    if !isAside[anchor], squares[anchor] > Self.guilty { accuse(at: time) }
  }

  private mutating func restore(_ anchor: Int) {
    isAside[anchor] = false
    asideCount -= 1
  }

  /// Sets aside the worst anchor.
  private mutating func accuse(at time: Double) {
    let mayGo = heardCount - asideCount > Self.fewest && 3 * (asideCount + 1) <= heardCount
    guard time - lastVerdict > Self.patience, mayGo else { return }
    var worst: Int?
    for anchor in squares.indices where !isAside[anchor] && squares[anchor] > worst.map({ squares[$0] }) ?? 0
    {
      worst = anchor
    }
    guard let worst else { return }
    lastVerdict = time
    isAside[worst] = true
    asideCount += 1
    for anchor in squares.indices where !isAside[anchor] && squares[anchor] > Self.usual {
      squares[anchor] = Self.usual
    }
  }

  /// Forgets all deviations but not which anchors were heard.
  mutating func reset() {
    for anchor in squares.indices {
      if !squares[anchor].isNaN { squares[anchor] = Self.usual }
      isAside[anchor] = false
    }
    asideCount = 0
  }
}
