import NearbyDeviceMachine
import NearbyEstimation
import NearbyUCI

/// One peer's result in one round: as measured, and as estimated.
package struct RadioRange: Equatable, Sendable {
  package var time: Duration
  package var sequence: UInt32
  package var peer: UCIAddress
  package var status: UCIStatus
  /// The measured distance in metres; `nil` if the round failed.
  package var range: Double?
  /// The estimated distance and its standard deviation in metres; `nil` while the estimator has no
  /// estimate.
  package var distance: Double?
  package var sigma: Double?
  /// The measured angles in degrees, positive to the right and up; `nil` if the chip does not report them.
  package var azimuth: Double?
  package var elevation: Double?
  /// Whether the chip believes that the direct path was blocked; `nil` if it doesn't judge.
  package var looksNonLineOfSight: Bool?
  package var rssiDBm: Double?
}

/// Turns a session's notifications into ranges, with one estimator for each peer.
package struct RadioRanges: Sendable {
  private struct Peer: Sendable {
    var estimator = PeerEstimator()
    var lastSeen = Duration.zero
  }

  /// The number of peers that are remembered. A session has at most 8; the limit protects against a chip
  /// that reports ever new addresses. The peer seen least recently is forgotten first.
  package static let peerLimit = 64
  private var peers: [UCIAddress: Peer] = [:]

  package init() {}

  /// The two-way results of one notification, in its order; empty for other kinds of ranging.
  package mutating func add(_ info: UCISessionInfo, at time: Duration) -> [RadioRange] {
    switch info.measurements {
    case .twoWay(let measurements, _):
      measurements.map { add($0, sequence: info.sequence, at: time) }
    case .oneWayAngle, .downlinkTDoA, .unknown: []
    }
  }

  private mutating func admit(at time: Duration) -> Peer {
    if peers.count >= Self.peerLimit, let oldest = peers.min(by: { $0.value.lastSeen < $1.value.lastSeen }) {
      peers[oldest.key] = nil
    }
    return Peer(lastSeen: time)
  }

  /// The number of peers that are remembered, at most `peerLimit`.
  package var peerCount: Int { peers.count }

  private mutating func add(
    _ measurement: UCITwoWayMeasurement, sequence: UInt32, at time: Duration
  ) -> RadioRange {
    var peer = peers[measurement.address] ?? admit(at: time)
    if let reading = PeerReading(measurement, at: time) { peer.estimator.update(reading) }
    let estimate = peer.estimator.estimate(at: time).distance
    peer.lastSeen = time
    peers[measurement.address] = peer
    let (azimuth, elevation) = (measurement.azimuth, measurement.elevation)
    return RadioRange(
      time: time, sequence: sequence, peer: measurement.address, status: measurement.status,
      range: measurement.distanceMetres, distance: estimate?.distance, sigma: estimate?.sigma,
      azimuth: azimuth.figureOfMerit > 0 ? azimuth.degrees : nil,
      elevation: elevation.figureOfMerit > 0 ? elevation.degrees : nil,
      looksNonLineOfSight: measurement.looksNonLineOfSight, rssiDBm: measurement.rssiDBm)
  }
}
