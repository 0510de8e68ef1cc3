import NearbyOctets

/// A message from a world to one of its devices.
package enum WorldMessage: Equatable, Sendable {
  case welcome(WorldWelcome)
  /// The program may not join now. The connection closes after it.
  case refused(reason: String)
  /// The program has lost its device, or will not get it. The connection closes after it.
  case ended(WorldEnd)
  case clock(WorldRate)
  case uci([UInt8])
  case pose(WorldPose)
  case foreground(Bool)
  /// The user's answer to a question that the app asked.
  case answer(WorldQuestion, WorldAnswer)
  /// A permission changed in Settings.
  case setting(WorldQuestion, WorldAnswer)
  /// The user's reply to the picker with this number.
  case picked(number: UInt32, WorldPick)
  /// Sent to observers only.
  case observed(WorldObservation)
  case bluetooth(WorldBluetoothMessage)

  package static let longestReason = 1024
}

/// Why a program has no device in a world. Trying again would give the same result.
package struct WorldEnd: Equatable, Sendable {
  package enum Cause: UInt8, Sendable {
    /// Another program holds the device.
    case held = 0
    /// A person removed the device from the world.
    case removed = 1
  }

  package var cause: Cause
  /// Explanation for the person who started the program, at most 1024 octets.
  package var reason: String

  package init(_ cause: Cause, _ reason: String) {
    self.cause = cause
    self.reason = reason
  }
}

/// The state that a device starts from when it joins.
package struct WorldWelcome: Equatable, Sendable {
  package var device: UInt32
  package var seed: UInt64
  package var permission: WorldAnswer
  package var cameraPermission: WorldAnswer
  package var isInForeground: Bool
  package var hasCamera: Bool
  package var rate: WorldRate

  package init(
    device: UInt32, seed: UInt64, permission: WorldAnswer, cameraPermission: WorldAnswer,
    isInForeground: Bool, hasCamera: Bool, rate: WorldRate
  ) {
    self.device = device
    self.seed = seed
    self.permission = permission
    self.cameraPermission = cameraPermission
    self.isInForeground = isInForeground
    self.hasCamera = hasCamera
    self.rate = rate
  }
}

/// A device's pose according to its camera tracking.
package struct WorldPose: Equatable, Sendable {
  /// The tracking run that the pose belongs to.
  package var run: UInt32
  /// In the track's frame (z up), metres.
  package var position: SIMD3<Double>
  /// Quaternion x, y, z, w, track from device.
  package var attitude: SIMD4<Double>
  /// 0 not available, 1 initialising, 2 excessive motion, 3 insufficient features, 4 relocalising, 5 normal.
  package var tracking: UInt8
  /// Lumens.
  package var light: Double
  package static let lastTracking: UInt8 = 5

  package init(
    run: UInt32, position: SIMD3<Double>, attitude: SIMD4<Double>, tracking: UInt8, light: Double
  ) {
    self.run = run
    self.position = position
    self.attitude = attitude
    self.tracking = tracking
    self.light = light
  }
}

/// | side, kind | message | payload |
/// |---|---|---|
/// | control, 128 | welcome | see `WorldWelcome` |
/// | control, 129 | refused | reason: text |
/// | control, 130 | clock | rate `f64` |
/// | control, 131 | ended | see `WorldEnd` |
/// | UCI, 128 | uci | octets |
/// | camera, 128 | pose | see `WorldPose` |
/// | life, 128 | foreground | `u8` |
/// | life, 129 and 130 | answer, setting | question `u8`, answer `u8` |
/// | life, 131 | picked | number `u32`, see `WorldPick` |
/// | report, 128 | observed range | see `ObservedRange` |
/// | report, 129 | observed pose | true pose, optional pose in the camera's track |
/// | Bluetooth, 128 to 132 | bluetooth | see `WorldBluetoothMessage` |
extension WorldMessage {
  package func frame(at time: Duration) -> WorldFrame {
    var payload: [UInt8] = []
    let side: WorldSide
    let kind: UInt8
    switch self {
    case .welcome(let welcome):
      (side, kind) = (.control, 128)
      welcome.write(to: &payload)
    case .refused(let reason):
      (side, kind) = (.control, 129)
      payload.append(text: reason, maximum: Self.longestReason)
    case .ended(let end):
      (side, kind, payload) = (.control, 131, [end.cause.rawValue])
      payload.append(text: end.reason, maximum: Self.longestReason)
    case .clock(let rate):
      (side, kind) = (.control, 130)
      payload.append(number: rate.secondsPerSecond)
    case .uci(let octets): (side, kind, payload) = (.uci, 128, octets)
    case .pose(let pose):
      (side, kind) = (.camera, 128)
      pose.write(to: &payload)
    case .foreground(let isInForeground):
      (side, kind) = (.life, 128)
      payload.append(flag: isInForeground)
    case .answer(let question, let answer):
      (side, kind, payload) = (.life, 129, [question.rawValue, answer.rawValue])
    case .setting(let question, let answer):
      (side, kind, payload) = (.life, 130, [question.rawValue, answer.rawValue])
    case .picked(let number, let pick):
      (side, kind) = (.life, 131)
      payload.append(littleEndian: number)
      pick.write(to: &payload)
    case .observed(let observation):
      side = .report
      if case .range = observation { kind = 128 } else { kind = 129 }
      observation.write(to: &payload)
    case .bluetooth(let message):
      (side, kind) = (.bluetooth, message.kind)
      message.write(to: &payload)
    }
    return WorldFrame(side: side, kind: kind, time: time, payload: payload)
  }

  package init(_ frame: WorldFrame) throws(WorldProtocolError) {
    if frame.side == .uci, frame.kind == 128 {
      self = .uci(frame.payload)
      return
    }
    var reader = WorldReader(frame.payload.span)
    switch (frame.side, frame.kind) {
    case (.control, 128): self = .welcome(try WorldWelcome(&reader))
    case (.control, 129):
      self = .refused(reason: try reader.takeText("reason", maximum: Self.longestReason))
    case (.control, 130): self = .clock(try WorldRate(&reader))
    case (.control, 131): self = .ended(try WorldEnd(&reader))
    case (.camera, 128): self = .pose(try WorldPose(&reader))
    case (.life, 128): self = .foreground(try reader.takeBool("foreground"))
    case (.life, 129): self = .answer(try reader.takeQuestion(), try reader.takeAnswer())
    case (.life, 130): self = .setting(try reader.takeQuestion(), try reader.takeAnswer())
    case (.life, 131): self = .picked(number: try reader.takeUInt32("number"), try WorldPick(&reader))
    case (.report, 128): self = .observed(try WorldObservation(range: &reader))
    case (.report, 129): self = .observed(try WorldObservation(pose: &reader))
    case (.bluetooth, let kind): self = .bluetooth(try WorldBluetoothMessage(kind: kind, &reader))
    case (.control, _), (.uci, _), (.camera, _), (.life, _), (.report, _):
      throw reader.error("kind", "unknown kind \(frame.kind) of a world's message, side \(frame.side)")
    }
    try reader.requireEnd()
  }
}

/// Layout: device (`u32`), seed (`u64`), permission (`u8`), camera permission (`u8`), in the foreground
/// (`u8`), has a camera (`u8`), rate (`f64`).
extension WorldWelcome {
  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: device)
    octets.append(littleEndian: seed)
    octets.append(permission.rawValue)
    octets.append(cameraPermission.rawValue)
    octets.append(flag: isInForeground)
    octets.append(flag: hasCamera)
    octets.append(number: rate.secondsPerSecond)
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    device = try reader.takeUInt32("device")
    seed = try reader.takeUInt64("seed")
    permission = try reader.takeAnswer()
    cameraPermission = try reader.takeAnswer()
    isInForeground = try reader.takeBool("foreground")
    hasCamera = try reader.takeBool("camera")
    rate = try WorldRate(&reader)
  }
}

/// Layout: cause (`u8`), reason (text of at most 1024 octets).
extension WorldEnd {
  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    let number = try reader.takeUInt8("cause")
    guard let cause = Cause(rawValue: number) else {
      throw reader.error("cause", back: 1, "\(number); 0 or 1 expected")
    }
    self.cause = cause
    reason = try reader.takeText("reason", maximum: WorldMessage.longestReason)
  }
}

/// Layout: run (`u32`), position (3 `f64`), attitude (4 `f64`), tracking (`u8`), light (`f64`).
extension WorldPose {
  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: run)
    octets.append(vector: position)
    octets.append(attitude: attitude)
    octets.append(tracking)
    octets.append(number: light)
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    run = try reader.takeUInt32("run")
    position = try reader.takeVector("position")
    attitude = try reader.takeAttitude()
    tracking = try reader.takeUInt8("tracking")
    guard tracking <= Self.lastTracking else {
      throw reader.error("tracking", back: 1, "\(tracking); 0 to \(Self.lastTracking) expected")
    }
    light = try reader.takeDouble("light")
  }
}
