import CoreLocation
import Foundation
import NearbyInteraction
import NearbyPosition
import NearbyTesting

/// An app that finds its own place among anchors, as apps for Apple's phones do: it groups each batch by cluster,
/// takes the anchors' places from their messages, and solves for its own.
///
/// Used on the one thread that advances the world's time.
final class AnchorVisitor: NSObject, NISessionDelegate, CLLocationManagerDelegate, @unchecked Sendable {
  let session = NISession()
  let manager = CLLocationManager()
  private(set) var batches: [[NIDLTDOAMeasurement]] = []
  private(set) var invalidation: (any Error)?
  private(set) var hasStarted = false
  private(set) var rejected: [MeasurementRejection] = []
  private var places: [Int: SIMD3<Double>] = [:]
  private var rounds: AnchorRounds?
  private var solver: PositionSolver?
  /// Heights in which a person carries a phone.
  private let heights: ClosedRange<Double>?

  init(network: Int, asksForLocation: Bool = true, heights: ClosedRange<Double>? = 0.5...2) {
    self.heights = heights
    super.init()
    session.delegate = self
    manager.delegate = self
    if asksForLocation { manager.requestWhenInUseAuthorization() }
    session.run(NIDLTDOAConfiguration(networkIdentifier: network))
  }

  var estimate: PositionEstimate? { solver?.estimate() }

  func sessionDidStartRunning(_ session: NISession) { hasStarted = true }

  func session(_ session: NISession, didInvalidateWith error: any Error) { invalidation = error }

  func session(_ session: NISession, didUpdateDLTDOA measurements: [NIDLTDOAMeasurement]) {
    batches.append(measurements)
    learnPlaces(measurements)
    for (_, cluster) in Dictionary(grouping: measurements, by: \.clusterInitiatorAddress) { solve(cluster) }
  }

  /// Starts the solver over when an anchor is new or says that it is somewhere else.
  private func learnPlaces(_ measurements: [NIDLTDOAMeasurement]) {
    var isNew = false
    for measurement in measurements where measurement.coordinatesType == .relative {
      let place = measurement.coordinates
      if place.x.isNaN || places[measurement.address] == place { continue }
      places[measurement.address] = place
      isNew = true
    }
    guard isNew, places.count >= 3 else { return }
    let anchors = places.sorted { $0.key < $1.key }.map {
      PositionAnchor(id: $0.key, position: $0.value, surveySigma: 0.05)
    }
    var options = PositionOptions()
    options.heights = heights
    rounds = try? AnchorRounds(anchors: anchors)
    solver = try? PositionSolver(anchors: anchors, options: options)
  }

  private func solve(_ cluster: [NIDLTDOAMeasurement]) {
    let messages = cluster.filter { $0.signalStrength > -95 }.map(AnchorMessage.init)
    guard let time = messages.first?.receiveTime else { return }
    guard let (differences, rejections) = rounds?.differences(of: messages, at: time) else { return }
    rejected += rejections
    for difference in differences {
      if case .rejected(let reason)? = solver?.add(difference) { rejected.append(reason) }
    }
  }

  /// The errors of the places that it stated, one a second, metres.
  func errors(of phone: Phone, over seconds: Int, in world: World) -> [Double] {
    (0..<seconds).compactMap { _ in
      world.advance(by: .seconds(1))
      return error(from: phone.position)
    }
  }

  /// The distance on the floor between the estimate and a place, metres; `nil` without an estimate.
  func error(from truth: SIMD3<Double>) -> Double? {
    guard let position = estimate?.position else { return nil }
    let (x, y) = (position.x - truth.x, position.y - truth.y)
    return (x * x + y * y).squareRoot()
  }
}

extension AnchorMessage {
  fileprivate init(_ measurement: NIDLTDOAMeasurement) {
    let kind: Kind =
      switch measurement.measurementType {
      case .poll: .poll
      case .response: .response
      case .final: .final
      }
    self.init(
      kind: kind, anchor: measurement.address, transmitTime: measurement.transmitTime,
      receiveTime: measurement.receiveTime,
      responderOffset: measurement.responderClockFrequencyOffset.map { -$0 })
  }
}
