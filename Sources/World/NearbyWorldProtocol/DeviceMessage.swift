import NearbyOctets

/// A message from a device's process to its world.
package enum DeviceMessage: Equatable, Sendable {
  case hello(DeviceHello)
  case uci([UInt8])
  /// Camera tracking starts as run number `run`, or stops if `nil`.
  case camera(run: UInt32?)
  /// The app requests something that its user must allow.
  case asks(WorldQuestion)
  /// What the app's accessory picker asks the user now; `nil` if nothing is asked any more.
  case picks(WorldPicker?)
  case report(SessionReport)
  /// What the app shows its user, for people who watch the world.
  case shows(AppDisplay)
  /// The app's background modes. Without this message, all are allowed.
  case declares(AppBackgroundModes)
  case bluetooth(DeviceBluetoothMessage)
  /// Removes the device of this name from the world and ends its program's connection.
  case removes(device: String)

  /// Maximum number of UCI octets in one frame.
  package static let uciPiece = 32_768

  /// Splits UCI octets into pieces that each fit a frame; empty if there are no octets.
  package static func uciPieces(_ octets: [UInt8]) -> [[UInt8]] {
    if octets.count <= uciPiece { return octets.isEmpty ? [] : [octets] }
    return stride(from: 0, to: octets.count, by: uciPiece).map { Array(octets[$0...].prefix(uciPiece)) }
  }
}

/// A program's request to join a world.
package struct DeviceHello: Equatable, Sendable {
  package static let version: UInt16 = 2
  /// Version without `process` and `instance`.
  static let oldestVersion: UInt16 = 1
  package static let longestText = 255
  /// Upper limit for the payload of a hello, with some margin, octets.
  package static let longestPayload = 2048

  package var version = Self.version
  /// The secret that the world gave to those who may join.
  package var token: String
  package var role = Role.device
  /// Name of the device. The world creates an unknown device, except for an observer.
  package var device: String
  /// Name of the program, shown to people who watch the world.
  package var program: String
  /// The reasons for requesting permission that the program shows its user.
  package var usageDescription: String?
  package var cameraUsageDescription: String?
  /// The program's process ID, or 0 if not stated.
  package var process: UInt32 = 0
  /// Random number drawn at every start of a program, or 0 if not stated. It
  /// distinguishes a program's second connection from another program's.
  package var instance: UInt64 = 0

  /// Purpose of a connection.
  package enum Role: UInt8, Sendable {
    case device = 0
    /// Receives what the device's chip measures, and the device's pose.
    case observer = 1
  }

  package init(
    token: String, device: String, program: String, usageDescription: String? = nil,
    cameraUsageDescription: String? = nil
  ) {
    self.token = token
    self.device = device
    self.program = program
    self.usageDescription = usageDescription
    self.cameraUsageDescription = cameraUsageDescription
  }
}

/// A permission that the user is asked for.
package enum WorldQuestion: UInt8, CaseIterable, Sendable {
  case nearby = 0, camera, bluetooth
  /// Location while the app is in use, and at any time.
  case location, locationAlways
}

/// The user's answer to a question.
package enum WorldAnswer: UInt8, CaseIterable, Sendable {
  case notDetermined = 0, allowed, allowedOnce, denied
}

/// | side, kind | message | payload |
/// |---|---|---|
/// | control, 0 | hello | see `DeviceHello` |
/// | control, 1 | removes | device: text |
/// | UCI, 0 | uci | octets |
/// | camera, 0 | camera | optional run `u32` |
/// | life, 0 | asks | question `u8` |
/// | life, 1 | declares | background modes `u8` |
/// | life, 2 | picks | optional picker, see `WorldPicker` |
/// | report, 0 | report | see `SessionReport` |
/// | report, 1 | shows | see `AppDisplay` |
/// | Bluetooth, 0 to 3 | bluetooth | see `DeviceBluetoothMessage` |
extension DeviceMessage {
  package func frame(at time: Duration) -> WorldFrame {
    var payload: [UInt8] = []
    let side: WorldSide
    let kind: UInt8
    switch self {
    case .hello(let hello):
      (side, kind) = (.control, 0)
      hello.write(to: &payload)
    case .uci(let octets): (side, kind, payload) = (.uci, 0, octets)
    case .camera(let run):
      (side, kind) = (.camera, 0)
      payload.append(optional: run) { $0.append(littleEndian: $1) }
    case .asks(let question):
      (side, kind) = (.life, 0)
      payload.append(question.rawValue)
    case .report(let report):
      (side, kind) = (.report, 0)
      report.write(to: &payload)
    case .shows(let display):
      (side, kind) = (.report, 1)
      display.write(to: &payload)
    case .declares(let modes): (side, kind, payload) = (.life, 1, [modes.rawValue])
    case .picks(let picker):
      (side, kind) = (.life, 2)
      payload.append(optional: picker) { $1.write(to: &$0) }
    case .removes(let device):
      (side, kind) = (.control, 1)
      payload.append(text: device, maximum: DeviceHello.longestText)
    case .bluetooth(let message):
      (side, kind) = (.bluetooth, message.kind)
      message.write(to: &payload)
    }
    return WorldFrame(side: side, kind: kind, time: time, payload: payload)
  }

  package init(_ frame: WorldFrame) throws(WorldProtocolError) {
    if frame.side == .uci, frame.kind == 0 {
      self = .uci(frame.payload)
      return
    }
    var reader = WorldReader(frame.payload.span)
    switch (frame.side, frame.kind) {
    case (.control, 0): self = .hello(try DeviceHello(&reader))
    case (.control, 1):
      self = .removes(device: try reader.takeText("device", maximum: DeviceHello.longestText))
    case (.camera, 0):
      self = .camera(
        run: try reader.takeOptional("running") { (reader) throws(WorldProtocolError) in
          try reader.takeUInt32("run")
        })
    case (.life, 0): self = .asks(try reader.takeQuestion())
    case (.life, 1): self = .declares(try AppBackgroundModes(&reader))
    case (.life, 2):
      self = .picks(
        try reader.takeOptional("picker") { (reader) throws(WorldProtocolError) in try WorldPicker(&reader) })
    case (.report, 0): self = .report(try SessionReport(&reader))
    case (.report, 1): self = .shows(try AppDisplay(&reader))
    case (.bluetooth, let kind): self = .bluetooth(try DeviceBluetoothMessage(kind: kind, &reader))
    case (.control, _), (.uci, _), (.camera, _), (.life, _), (.report, _):
      throw reader.error("kind", "unknown kind \(frame.kind) of a device's message, side \(frame.side)")
    }
    try reader.requireEnd()
  }
}

/// | octets | field |
/// |---|---|
/// | 2 | version, 1 or 2 |
/// | 1 | role: 0 device, 1 observer |
/// | 2 + n, each | token, device, program: text of at most 255 octets |
/// | 1, or 3 + n, each | optional usage description, optional camera usage description |
/// | 4 | process; version 2 only |
/// | 8 | instance; version 2 only |
///
/// Source: `Docs/world-protocol.md`, section 2.
extension DeviceHello {
  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: version)
    octets.append(role.rawValue)
    for text in [token, device, program] { octets.append(text: text, maximum: Self.longestText) }
    for text in [usageDescription, cameraUsageDescription] {
      octets.append(optional: text) { $0.append(text: $1, maximum: Self.longestText) }
    }
    guard version > Self.oldestVersion else { return }
    octets.append(littleEndian: process)
    octets.append(littleEndian: instance)
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    version = try reader.takeUInt16("version")
    guard (Self.oldestVersion...Self.version).contains(version) else {
      throw reader.error("version", back: 2, "\(version); \(Self.oldestVersion) or \(Self.version) expected")
    }
    let number = try reader.takeUInt8("role")
    guard let role = Role(rawValue: number) else {
      throw reader.error("role", back: 1, "\(number); 0 or 1 expected")
    }
    self.role = role
    token = try reader.takeText("token", maximum: Self.longestText)
    device = try reader.takeText("device", maximum: Self.longestText)
    guard !device.isEmpty else { throw reader.error("device", "no name") }
    program = try reader.takeText("program", maximum: Self.longestText)
    func description(
      _ field: String
    ) -> ((inout WorldReader) throws(WorldProtocolError) -> String) {
      { (reader) throws(WorldProtocolError) in try reader.takeText(field, maximum: Self.longestText) }
    }
    usageDescription = try reader.takeOptional("usage", description("usage"))
    cameraUsageDescription = try reader.takeOptional("camera usage", description("camera usage"))
    guard version > Self.oldestVersion else { return }
    process = try reader.takeUInt32("process")
    instance = try reader.takeUInt64("instance")
  }
}

extension WorldReader {
  mutating func takeQuestion() throws(WorldProtocolError) -> WorldQuestion {
    let raw = try takeUInt8("question")
    guard let question = WorldQuestion(rawValue: raw) else {
      throw error("question", back: 1, "\(raw); 0 to 4 expected")
    }
    return question
  }

  mutating func takeAnswer() throws(WorldProtocolError) -> WorldAnswer {
    let raw = try takeUInt8("answer")
    guard let answer = WorldAnswer(rawValue: raw) else {
      throw error("answer", back: 1, "\(raw); 0 to 3 expected")
    }
    return answer
  }
}
