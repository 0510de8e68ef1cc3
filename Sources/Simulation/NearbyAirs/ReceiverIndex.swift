import NearbySimulator
import NearbyVirtualBluetooth

/// Which Bluetooth receivers may be in reach of a sender, so that an advertisement costs what its neighbourhood does and
/// not what the world does.
///
/// Squares of the ground that are wide enough for the packets' reach and for what bodies move during the index's
/// lifetime. The candidates may include receivers out of reach but omit none in reach, so results do not depend on when
/// the index was built.
struct ReceiverIndex: Sendable {
  private struct Square: Hashable, Sendable {
    var column: Int64
    var row: Int64
  }

  /// What an index is valid for.
  private struct State: Equatable, Sendable {
    var receivers: Int
    var trajectories: Int
  }

  /// Seconds after which an index is built again.
  private static let lifetime = 1.0
  /// Faster receivers, metres a second, are candidates everywhere.
  private static let topSpeed = 25.0
  /// Metres.
  private static let side = LowEnergyRadio.reach + topSpeed * lifetime
  /// With fewer receivers an index costs more than it saves.
  private static let fewest = 32

  private var state: State?
  private var madeAt: Double?
  private var squares: [Square: [Int]] = [:]
  private var everywhere: [Int] = []
  /// The receivers of a square and its eight neighbours, of those squares that were asked for.
  private var around: [Square: [Int]] = [:]

  /// The receivers that may hear a sender, ascending.
  mutating func candidates(
    near sender: SIMD3<Double>, among receivers: BluetoothReceivers, at seconds: Double,
    in world: SimulatedWorld,
    position: (Int) -> BodyID
  ) -> [Int] {
    guard receivers.devices.count >= Self.fewest else { return receivers.devices }
    let state = State(receivers: receivers.version, trajectories: world.trajectoryVersion)
    if self.state != state {
      // Where everything changes all the time, looking at all receivers is cheaper than building an index for each
      // advertisement: it is built at the second one without a change in between.
      self.state = state
      madeAt = nil
      return receivers.devices
    }
    if madeAt.map({ abs(seconds - $0) > Self.lifetime }) ?? true {
      rebuild(receivers.devices, at: seconds, in: world, position: position)
    }
    let square = Self.square(of: sender)
    if let known = around[square] { return known }
    let found = neighbourhood(of: square)
    around[square] = found
    return found
  }

  private mutating func rebuild(
    _ receivers: [Int], at seconds: Double, in world: SimulatedWorld, position: (Int) -> BodyID
  ) {
    squares = [:]
    everywhere = []
    around = [:]
    for receiver in receivers {
      let body = position(receiver)
      guard world.topSpeed(of: body) <= Self.topSpeed else {
        everywhere.append(receiver)
        continue
      }
      squares[Self.square(of: world.position(of: body, seconds: seconds)), default: []].append(receiver)
    }
    madeAt = seconds
  }

  private func neighbourhood(of square: Square) -> [Int] {
    var found = everywhere
    for column in square.column - 1...square.column + 1 {
      for row in square.row - 1...square.row + 1 {
        found += squares[Square(column: column, row: row)] ?? []
      }
    }
    return found.sorted()
  }

  private static func square(of point: SIMD3<Double>) -> Square {
    func index(_ metres: Double) -> Int64 {
      metres.isFinite ? Int64(min(1e9, max(-1e9, (metres / side).rounded(.down)))) : 0
    }
    return Square(column: index(point.x), row: index(point.y))
  }
}
