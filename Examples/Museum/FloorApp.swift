import CoreLocation
import Foundation
import NearbyInteraction
import NearbyPosition
import simd

/// The app in a visitor's hand that shows in which room of the museum, and where in it, the visitor is.
///
/// It listens to the museum's anchors, takes their places from their messages, and computes its own place with
/// `NearbyPosition`. It uses only public API.
public final class FloorApp: NSObject, NISessionDelegate, CLLocationManagerDelegate, @unchecked Sendable {
  // The state changes only on `queue`. `place` is also read elsewhere, but only while the queue is idle.

  /// A room, with its walls along the axes.
  public struct Room: Sendable, Equatable {
    /// The name on the plan.
    public let name: String
    /// South-west corner, metres.
    public let low: SIMD2<Double>
    /// North-east corner, metres.
    public let high: SIMD2<Double>

    /// Creates a room.
    public init(_ name: String, from low: SIMD2<Double>, to high: SIMD2<Double>) {
      (self.name, self.low, self.high) = (name, low, high)
    }

    /// How far a point lies inside the walls, metres; negative outside.
    func depth(of point: SIMD2<Double>) -> Double {
      min((point - low).min(), (high - point).min())
    }
  }

  /// What the app shows.
  public enum Place: Sendable, Equatable {
    /// No anchor has been heard yet.
    case searching
    /// Anchors are heard, but there is no position, for this reason.
    case unknown(PositionUnavailable)
    /// In this room, or in none on the plan; position and its standard deviations in metres.
    case here(room: String?, position: SIMD3<Double>, sigma: SIMD3<Double>)
    /// The app cannot continue, for this reason.
    case stopped(String)
  }

  /// What the app shows now.
  public private(set) var place = Place.searching

  /// Heights in which a person carries a phone, metres.
  private static let heights = 0.8...1.8
  /// How well the museum's anchors were surveyed, metres.
  private static let surveySigma = 0.05
  /// Weaker messages have wild times, dBm.
  private static let weakest = -95.0
  /// How deep inside another room the visitor must seem to be before the app changes rooms, metres.
  private static let threshold = 0.3

  private let network: Int
  private let rooms: [Room]
  private let onChange: @Sendable (Place) -> Void
  private let queue = DispatchQueue(label: "museum.floor")
  private let manager = CLLocationManager()
  private var session: NISession?
  private var anchors: [Int: SIMD3<Double>] = [:]
  private var rounds: AnchorRounds?
  private var solver: PositionSolver?
  /// The solver that knows all anchors heard so far, until it has a position.
  private var next: PositionSolver?
  private var room: Room?

  /// - Parameters:
  ///   - network: The number of the museum's anchors.
  ///   - rooms: The rooms of the plan.
  ///   - onChange: Called with what the app shows, for each round that it hears.
  public init(network: Int, rooms: [Room], onChange: @escaping @Sendable (Place) -> Void = { _ in }) {
    self.network = network
    self.rooms = rooms
    self.onChange = onChange
    super.init()
    manager.requestWhenInUseAuthorization()
    start()
  }

  private func start() {
    let session = NISession()
    session.delegateQueue = queue
    session.delegate = self
    self.session = session
    guard NISession.deviceCapabilities.supportsDLTDOAMeasurement else {
      return show(.stopped("this phone cannot listen to anchors"))
    }
    session.run(NIDLTDOAConfiguration(networkIdentifier: network))
  }

  private func show(_ place: Place) {
    self.place = place
    onChange(place)
  }

  // MARK: NISessionDelegate

  /// Adds one round of each cluster, and shows the place.
  public func session(_ session: NISession, didUpdateDLTDOA measurements: [NIDLTDOAMeasurement]) {
    learnAnchors(measurements)
    for (_, cluster) in Dictionary(grouping: measurements, by: \.clusterInitiatorAddress)
      .sorted(by: { $0.key < $1.key })
    {
      add(cluster)
    }
    if let estimate = next?.estimate(), estimate.position != nil || solver?.estimate().position == nil {
      (solver, next) = (next, nil)
    }
    guard let estimate = solver?.estimate() else { return show(.unknown(.tooFewAnchors)) }
    guard let position = estimate.position else { return show(.unknown(estimate.unavailable ?? .startingUp)) }
    show(.here(room: enter(position), position: position, sigma: estimate.positionSigma))
  }

  /// Begins a solver with more anchors when one is new or says that it was moved. The present one continues until
  /// the new one has a position.
  private func learnAnchors(_ measurements: [NIDLTDOAMeasurement]) {
    var isNew = false
    for measurement in measurements where measurement.coordinatesType == .relative {
      let place = measurement.coordinates
      guard place.x.isFinite, place.y.isFinite, place.z.isFinite, anchors[measurement.address] != place
      else { continue }
      anchors[measurement.address] = place
      isNew = true
    }
    guard isNew else { return }
    let known = anchors.sorted { $0.key < $1.key }.map {
      PositionAnchor(id: $0.key, position: $0.value, surveySigma: Self.surveySigma)
    }
    var options = PositionOptions()
    options.heights = Self.heights
    guard let rounds = try? AnchorRounds(anchors: known),
      let fresh = try? PositionSolver(anchors: known, options: options)
    else { return }
    self.rounds = rounds
    next = fresh
  }

  private func add(_ cluster: [NIDLTDOAMeasurement]) {
    // Not `signalStrength > weakest`: it is NaN on phones that don't report it.
    let messages = cluster.filter { !($0.signalStrength <= Self.weakest) }.map(AnchorMessage.init)
    guard let time = messages.first?.receiveTime,
      let differences = rounds?.differences(of: messages, at: time)
    else { return }
    for difference in differences.measurements {
      solver?.add(difference)
      next?.add(difference)
    }
  }

  /// The room of a position. Near a door the visitor stays in the room that was shown before.
  private func enter(_ position: SIMD3<Double>) -> String? {
    let point = SIMD2(position.x, position.y)
    if let room, room.depth(of: point) > -Self.threshold { return room.name }
    room = rooms.max { $0.depth(of: point) < $1.depth(of: point) }
    if let found = room, found.depth(of: point) < -1 { room = nil }
    return room?.name
  }

  /// In the foreground again: listens again.
  public func sessionSuspensionEnded(_ session: NISession) {
    session.run(NIDLTDOAConfiguration(networkIdentifier: network))
  }

  /// Stops if the user refuses location, and starts over after any other error.
  public func session(_ session: NISession, didInvalidateWith error: any Error) {
    switch error {
    case NIError.userDidNotAllow, NIError.unsupportedPlatform, NIError.activeSessionsLimitExceeded,
      NIError.invalidConfiguration:
      show(.stopped(error.localizedDescription))
    default:
      show(.searching)
      start()
    }
  }
}

extension AnchorMessage {
  fileprivate init(_ measurement: NIDLTDOAMeasurement) {
    let kind: Kind =
      switch measurement.measurementType {
      case .poll: .poll
      case .response: .response
      default: .final
      }
    self.init(
      kind: kind, anchor: measurement.address, transmitTime: measurement.transmitTime,
      receiveTime: measurement.receiveTime,
      responderOffset: measurement.responderClockFrequencyOffset.map { -$0 })
  }
}
