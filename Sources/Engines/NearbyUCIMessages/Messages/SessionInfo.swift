/// One round's measurements: SESSION_INFO_NTF, formerly called RANGE_DATA_NTF.
package struct UCISessionInfo: Hashable, Sendable {
  package var sequence: UInt32
  package var token: UCISessionToken
  package var rcrIndicator: UInt8
  package var intervalMilliseconds: UInt32
  /// In 2.0 the session id of the hybrid primary session; reserved in 1.x.
  package var primarySessionID: UInt32
  package var measurements: UCIMeasurements
  /// A vendor's octets after the measurements.
  package var vendor: [UInt8]

  package init(
    sequence: UInt32, token: UCISessionToken, rcrIndicator: UInt8 = 0, intervalMilliseconds: UInt32,
    primarySessionID: UInt32 = 0, measurements: UCIMeasurements, vendor: [UInt8] = []
  ) {
    self.sequence = sequence
    self.token = token
    self.rcrIndicator = rcrIndicator
    self.intervalMilliseconds = intervalMilliseconds
    self.primarySessionID = primarySessionID
    self.measurements = measurements
    self.vendor = vendor
  }
}

/// The measurements of one notification, by ranging type.
package enum UCIMeasurements: Hashable, Sendable {
  case twoWay([UCITwoWayMeasurement], usesExtendedAddresses: Bool)
  case oneWayAngle([UCIOneWayAngleMeasurement], usesExtendedAddresses: Bool)
  case downlinkTDoA([UCIDownlinkTDoAMeasurement], usesExtendedAddresses: Bool)
  /// UL-TDoA and unknown types. The payload begins with the number of measurements.
  case unknown(type: UInt8, usesExtendedAddresses: Bool, payload: [UInt8])
}

/// An angle with its quality, as a chip reports it.
package struct UCIAngle: Hashable, Sendable {
  /// Degrees in signed Q9.7: degrees × 128.
  package var degreesQ9_7: Int16
  /// 0 to 100 percent; 0 means that the angle is not available.
  package var figureOfMerit: UInt8
  package init(degreesQ9_7: Int16, figureOfMerit: UInt8) {
    self.degreesQ9_7 = degreesQ9_7
    self.figureOfMerit = figureOfMerit
  }
  package static let notAvailable = UCIAngle(degreesQ9_7: 0, figureOfMerit: 0)
  package var degrees: Double { Double(degreesQ9_7) / 128 }
}

/// One peer's result in a two-way round: 31 octets for both address sizes.
package struct UCITwoWayMeasurement: Hashable, Sendable {
  package var address: UCIAddress
  package var status: UCIStatus
  /// 0 for line of sight, 1 for non-line-of-sight; other values are kept.
  package var nonLineOfSight: UInt8
  /// The same as a judgement; `nil` if the chip makes none.
  package var looksNonLineOfSight: Bool? {
    switch nonLineOfSight {
    case 0: false
    case 1: true
    default: nil
    }
  }
  /// The magnitude in centimetres. The distance is negative if the status is OK_NEGATIVE_DISTANCE_REPORT.
  package var distanceCentimetres: UInt16
  package var azimuth: UCIAngle
  package var elevation: UCIAngle
  package var destinationAzimuth: UCIAngle
  package var destinationElevation: UCIAngle
  /// The slot in which the exchange failed; the first slot is 0.
  package var slotIndex: UInt8
  /// Unsigned Q7.1 value: dBm × −2; 0 if not reported.
  package var rssiHalfDecibels: UInt8

  package init(
    address: UCIAddress, status: UCIStatus, nonLineOfSight: UInt8 = 0, distanceCentimetres: UInt16 = 0,
    azimuth: UCIAngle = .notAvailable, elevation: UCIAngle = .notAvailable,
    destinationAzimuth: UCIAngle = .notAvailable, destinationElevation: UCIAngle = .notAvailable,
    slotIndex: UInt8 = 0, rssiHalfDecibels: UInt8 = 0
  ) {
    self.address = address
    self.status = status
    self.nonLineOfSight = nonLineOfSight
    self.distanceCentimetres = distanceCentimetres
    self.azimuth = azimuth
    self.elevation = elevation
    self.destinationAzimuth = destinationAzimuth
    self.destinationElevation = destinationElevation
    self.slotIndex = slotIndex
    self.rssiHalfDecibels = rssiHalfDecibels
  }

  /// The distance in metres, negative if the status says so; `nil` if the measurement failed.
  package var distanceMetres: Double? {
    switch status {
    case .ok: Double(distanceCentimetres) / 100
    case .okNegativeDistance: -Double(distanceCentimetres) / 100
    default: nil
    }
  }

  package var rssiDBm: Double? { rssiHalfDecibels == 0 ? nil : -Double(rssiHalfDecibels) / 2 }
}

/// One advertiser's frame in an OWR-AoA session.
package struct UCIOneWayAngleMeasurement: Hashable, Sendable {
  package var address: UCIAddress
  package var status: UCIStatus
  package var nonLineOfSight: UInt8
  package var frameSequence: UInt8
  package var blockIndex: UInt16
  package var azimuth: UCIAngle
  package var elevation: UCIAngle

  package init(
    address: UCIAddress, status: UCIStatus, nonLineOfSight: UInt8, frameSequence: UInt8,
    blockIndex: UInt16, azimuth: UCIAngle, elevation: UCIAngle
  ) {
    self.address = address
    self.status = status
    self.nonLineOfSight = nonLineOfSight
    self.frameSequence = frameSequence
    self.blockIndex = blockIndex
    self.azimuth = azimuth
    self.elevation = elevation
  }
}
