import NearbyOctets

/// An event in one session of a device's app, reported for people who watch the world.
package struct SessionReport: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    // MARK: What the app did
    case made(token: [UInt8])
    case run(peer: [UInt8])
    case paused
    /// Invalidated or released by the app.
    case ended

    // MARK: What the app is notified of
    case updated(Sighting)
    /// Bits as in `ConvergenceReasons`; 0 means converged.
    case convergence(UInt32, ofPeer: Bool)
    case removed(didTimeOut: Bool)
    case suspended
    case suspensionEnded
    case startedRunning
    case invalidated(error: String)
  }

  package static let longestToken = 256
  package var session: UInt32
  package var event: Event

  package init(session: UInt32, event: Event) {
    self.session = session
    self.event = event
  }
}

/// What an app knows about a peer at one time.
package struct Sighting: Equatable, Sendable {
  /// A distance and its standard deviation, metres.
  package struct Distance: Equatable, Sendable {
    package var metres: Double
    package var sigma: Double
    package init(metres: Double, sigma: Double) {
      self.metres = metres
      self.sigma = sigma
    }
  }

  /// A unit vector in the device's frame, and its standard deviation in radians.
  package struct Direction: Equatable, Sendable {
    package var vector: SIMD3<Double>
    package var sigma: Double
    package init(vector: SIMD3<Double>, sigma: Double) {
      self.vector = vector
      self.sigma = sigma
    }
  }

  /// One possible position of the peer, in the track's frame, metres.
  package struct Hypothesis: Equatable, Sendable {
    package var position: SIMD3<Double>
    /// 0 to 1.
    package var weight: Double
    /// xx, xy and yy of the covariance in the horizontal plane, metres².
    package var spread: SIMD3<Double>
    package init(position: SIMD3<Double>, weight: Double, spread: SIMD3<Double>) {
      self.position = position
      self.weight = weight
      self.spread = spread
    }
  }

  package static let mostHypotheses = 16
  package var distance: Distance?
  package var direction: Direction?
  /// Radians, positive to the right.
  package var horizontalAngle: Double?
  /// Numbered as in `VerticalEstimate`; `nil` without camera assistance.
  package var vertical: UInt8?
  /// Estimated position of the peer in the track's frame, metres.
  package var place: SIMD3<Double>?
  package var hypotheses: [Hypothesis] = []

  package init(
    distance: Distance? = nil, direction: Direction? = nil, horizontalAngle: Double? = nil,
    vertical: UInt8? = nil, place: SIMD3<Double>? = nil, hypotheses: [Hypothesis] = []
  ) {
    self.distance = distance
    self.direction = direction
    self.horizontalAngle = horizontalAngle
    self.vertical = vertical
    self.place = place
    self.hypotheses = hypotheses
  }
}

/// Layout: session (`u32`), event (`u8`), then the event's fields.
///
/// | event | name | fields |
/// |---|---|---|
/// | 0, 1 | made, run | discovery token: count `u16`, at most 256, and octets |
/// | 2, 3 | paused, ended | |
/// | 4 | updated | sighting |
/// | 5 | convergence | reasons `u32`, of the peer `u8` |
/// | 6 | removed | timed out `u8` |
/// | 7, 8, 9 | suspended, suspension ended, started running | |
/// | 10 | invalidated | error: text of at most 255 octets |
extension SessionReport {
  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: session)
    switch event {
    case .made(let token):
      octets.append(0)
      octets.append(counted: token, maximum: Self.longestToken)
    case .run(let peer):
      octets.append(1)
      octets.append(counted: peer, maximum: Self.longestToken)
    case .paused: octets.append(2)
    case .ended: octets.append(3)
    case .updated(let sighting):
      octets.append(4)
      sighting.write(to: &octets)
    case .convergence(let reasons, let ofPeer):
      octets.append(5)
      octets.append(littleEndian: reasons)
      octets.append(flag: ofPeer)
    case .removed(let didTimeOut):
      octets.append(6)
      octets.append(flag: didTimeOut)
    case .suspended: octets.append(7)
    case .suspensionEnded: octets.append(8)
    case .startedRunning: octets.append(9)
    case .invalidated(let error):
      octets.append(10)
      octets.append(text: error, maximum: DeviceHello.longestText)
    }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    session = try reader.takeUInt32("session")
    let kind = try reader.takeUInt8("event")
    event =
      switch kind {
      case 0: .made(token: try reader.takeCounted("token", maximum: Self.longestToken))
      case 1: .run(peer: try reader.takeCounted("peer", maximum: Self.longestToken))
      case 2: .paused
      case 3: .ended
      case 4: .updated(try Sighting(&reader))
      case 5: .convergence(try reader.takeUInt32("reasons"), ofPeer: try reader.takeBool("of peer"))
      case 6: .removed(didTimeOut: try reader.takeBool("time-out"))
      case 7: .suspended
      case 8: .suspensionEnded
      case 9: .startedRunning
      case 10: .invalidated(error: try reader.takeText("error", maximum: DeviceHello.longestText))
      default: throw reader.error("event", back: 1, "\(kind); 0 to 10 expected")
      }
  }
}

/// Layout: optional distance (metres, sigma: 2 `f64`), optional direction (3 `f64`, sigma `f64`), optional
/// horizontal angle (`f64`), optional vertical (`u8`), optional position (3 `f64`), then a count of
/// hypotheses (`u8`, at most 16), each with position (3 `f64`), weight (`f64`) and spread (3 `f64`).
extension Sighting {
  func write(to octets: inout [UInt8]) {
    octets.append(optional: distance) { octets, distance in
      octets.append(number: distance.metres)
      octets.append(number: distance.sigma)
    }
    octets.append(optional: direction) { octets, direction in
      octets.append(vector: direction.vector)
      octets.append(number: direction.sigma)
    }
    octets.append(optional: horizontalAngle) { $0.append(number: $1) }
    octets.append(optional: vertical) { $0.append($1) }
    octets.append(optional: place) { $0.append(vector: $1) }
    let kept = hypotheses.prefix(Self.mostHypotheses)
    octets.append(UInt8(kept.count))
    for hypothesis in kept {
      octets.append(vector: hypothesis.position)
      octets.append(number: hypothesis.weight)
      octets.append(vector: hypothesis.spread)
    }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    distance = try reader.takeOptional("distance") { (reader) throws(WorldProtocolError) in
      Distance(metres: try reader.takeDouble("distance"), sigma: try reader.takeDouble("distance sigma"))
    }
    direction = try reader.takeOptional("direction") { (reader) throws(WorldProtocolError) in
      Direction(
        vector: try reader.takeVector("direction", limit: 1.001),
        sigma: try reader.takeDouble("direction sigma"))
    }
    horizontalAngle = try reader.takeOptional("angle") { (reader) throws(WorldProtocolError) in
      try reader.takeDouble("angle")
    }
    vertical = try reader.takeOptional("vertical") { (reader) throws(WorldProtocolError) in
      try reader.takeUInt8("vertical")
    }
    place = try reader.takeOptional("place") { (reader) throws(WorldProtocolError) in
      try reader.takeVector("place")
    }
    let count = Int(try reader.takeUInt8("hypotheses"))
    guard count <= Self.mostHypotheses else {
      throw reader.error("hypotheses", back: 1, "\(count); at most \(Self.mostHypotheses)")
    }
    for _ in 0..<count {
      let position = try reader.takeVector("hypothesis")
      let weight = try reader.takeDouble("weight")
      hypotheses.append(
        Hypothesis(position: position, weight: weight, spread: try reader.takeVector("spread", limit: 1e12)))
    }
  }
}
