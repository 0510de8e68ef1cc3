import NearbyUCI

/// The arguments of `run` with a network of anchors.
package struct AnchorNetworkConfiguration: Hashable, Sendable {
  /// The FiRa session id of the anchors.
  package var network: UInt32

  package init(network: UInt32) { self.network = network }
}

/// One message of an anchor, as the device heard it.
package struct AnchorReading: Hashable, Sendable {
  /// The message's place in its round.
  package enum Kind: UInt8, Hashable, Sendable { case poll, response, final }

  package var address: UInt64
  /// The address of the round's initiator.
  package var clusterInitiator: UInt64
  package var kind: Kind
  /// When it was sent, on the anchor's or its network's clock; ticks of 15.65 ps.
  package var transmitted: UInt64
  /// When it arrived, on this device's clock; ticks of 15.65 ps.
  package var received: UInt64
  /// dBm; `nil` if the chip does not report it.
  package var signalStrength: Double?
  /// How much faster the anchor's clock runs than this device's, as a fraction, measured by this device.
  package var clockOffset: Double
  /// How much faster a responder's clock runs than its initiator's, as a fraction; `nil` if it is not sent.
  package var responderOffset: Double?
  /// Where the anchor says it is; `nil` if it does not say.
  package var place: Place?

  package enum Place: Hashable, Sendable {
    /// Degrees north and east, and metres above the reference ellipsoid.
    case geodetic(latitude: Double, longitude: Double, altitude: Double)
    /// Metres in the frame of the network.
    case relative(SIMD3<Double>)
  }
}

extension AnchorReading.Place {
  init(_ location: UCIAnchorLocation) {
    switch location {
    case .wgs84(let latitude, let longitude, let altitude):
      self = .geodetic(
        latitude: Double(latitude) / 0x1p24, longitude: Double(longitude) / 0x1p24,
        altitude: Double(altitude) / 0x1p21 * 1000)
    case .relative(let x, let y, let z): self = .relative(SIMD3(Double(x), Double(y), Double(z)) / 1000)
    }
  }
}

extension AnchorReading {
  /// Parses a measurement of the chip; `nil` if it failed or is of an unknown kind.
  init?(_ measurement: UCIDownlinkTDoAMeasurement, clusterInitiator: UInt64) {
    guard measurement.status == .ok, let kind = Kind(rawValue: measurement.messageType) else { return nil }
    address = measurement.address.zeroExtended
    self.clusterInitiator = clusterInitiator
    self.kind = kind
    transmitted = measurement.transmitted.ticks
    received = measurement.received.ticks
    signalStrength =
      measurement.rssiHalfDecibels == 0 ? nil : -Double(measurement.rssiHalfDecibels) / 2
    clockOffset = Self.fraction(measurement.clockOffsetQ6_10)
    let offset = measurement.anchorClockOffsetQ6_10
    responderOffset = kind == .response && offset != 0 ? Self.fraction(offset) : nil
    place = measurement.location.map(Place.init)
  }

  /// Converts parts per million in Q6.10.
  private static func fraction(_ value: Int16) -> Double { Double(value) / 1024 * 1e-6 }
}

extension UCIDownlinkTDoAMeasurement.Timestamp {
  fileprivate var ticks: UInt64 {
    switch self {
    case .bits40(let ticks), .bits64(let ticks): ticks
    }
  }
}
