import NearbyDeviceMachine
import NearbyEstimation
import NearbyUCI

/// One peer's result of one round, raw and as the estimator sees it.
package struct RadioRange: Equatable, Sendable {
  package var time: Duration
  package var sequence: UInt32
  package var peer: UCIAddress
  package var status: UCIStatus
  /// Metres as measured; `nil` when the round failed.
  package var range: Double?
  /// Metres and their standard deviation; `nil` while the estimator tells nothing.
  package var distance: Double?
  package var sigma: Double?
  /// Degrees as measured, positive to the right and up; `nil` where the chip has none.
  package var azimuth: Double?
  package var elevation: Double?
  package var looksNonLineOfSight: Bool
  package var rssiDBm: Double?
}

/// Turns a session's notifications into ranges, with an estimator a peer.
package struct RadioRanges: Sendable {
  private struct Peer: Sendable {
    var estimator = PeerEstimator()
    var lastSeen = Duration.zero
  }

  /// A session has at most 8 peers; a chip that reports ever new addresses makes the oldest be forgotten.
  package static let peerLimit = 64
  private var peers: [UCIAddress: Peer] = [:]

  package init() {}

  /// The two-way results of one notification, in its order; none for other kinds of ranging.
  package mutating func take(_ info: UCISessionInfo, at time: Duration) -> [RadioRange] {
    switch info.measurements {
    case .twoWay(let measurements, _):
      measurements.map { take($0, sequence: info.sequence, at: time) }
    case .oneWayAngle, .downlinkTDoA, .unknown: []
    }
  }

  private mutating func admit(at time: Duration) -> Peer {
    if peers.count >= Self.peerLimit, let oldest = peers.min(by: { $0.value.lastSeen < $1.value.lastSeen }) {
      peers[oldest.key] = nil
    }
    return Peer(lastSeen: time)
  }

  /// Peers that are remembered, at most `peerLimit`.
  package var peerCount: Int { peers.count }

  private mutating func take(
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
      looksNonLineOfSight: measurement.nonLineOfSight != 0, rssiDBm: measurement.rssiDBm)
  }
}
