/// A position and orientation in the world.
///
/// Source: Apple's documentation of `ARAnchor`.
open class ARAnchor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // `@unchecked Sendable`: immutable.
  /// Identifies the anchor; shared by all its copies.
  public let identifier: UUID
  /// The app's name for the anchor.
  public let name: String?
  /// The session that the anchor was added to.
  public let sessionIdentifier: UUID?
  /// The transform from the anchor's frame to the world, in metres.
  public let transform: simd_float4x4

  /// Creates an anchor without a name.
  public init(transform: simd_float4x4) {
    identifier = UUID()
    name = nil
    sessionIdentifier = nil
    self.transform = transform
    super.init()
  }

  /// Creates an anchor with a name.
  public init(name: String, transform: simd_float4x4) {
    identifier = UUID()
    self.name = name
    sessionIdentifier = nil
    self.transform = transform
    super.init()
  }

  /// Creates a copy with the same identifier.
  public required init(anchor: ARAnchor) {
    identifier = anchor.identifier
    name = anchor.name
    sessionIdentifier = anchor.sessionIdentifier
    transform = anchor.transform
    super.init()
  }

  init(_ anchor: ARAnchor, transform: simd_float4x4, session: UUID?) {
    identifier = anchor.identifier
    name = anchor.name
    sessionIdentifier = session
    self.transform = transform
    super.init()
  }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: NSSecureCoding

  private enum Key {
    static let identifier = "identifier"
    static let name = "name"
    static let transform = "transform"
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived anchor; returns `nil` without an identifier and sixteen finite numbers.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Key.identifier),
      let identifier = UUID(uuidString: String(text)),
      let data = coder.decodeObject(of: NSData.self, forKey: Key.transform),
      let transform = simd_float4x4(octets: [UInt8](Data(referencing: data)))
    else { return nil }
    self.identifier = identifier
    name = coder.decodeObject(of: NSString.self, forKey: Key.name).map(String.init)
    sessionIdentifier = nil
    self.transform = transform
    super.init()
  }

  /// Writes the anchor.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier.uuidString as NSString, forKey: Key.identifier)
    if let name { coder.encode(name as NSString, forKey: Key.name) }
    coder.encode(Data(transform.octets) as NSData, forKey: Key.transform)
  }
}

/// An anchor that follows an object the camera sees.
public protocol ARTrackable {
  /// Whether the object is currently tracked.
  var isTracked: Bool { get }
}

extension simd_float4x4 {
  /// Sixteen little-endian floats, column by column.
  var octets: [UInt8] {
    (0..<16).flatMap { index in
      withUnsafeBytes(of: self[index / 4][index % 4].bitPattern.littleEndian) { Array($0) }
    }
  }

  /// Returns `nil` unless the octets hold sixteen finite floats.
  init?(octets: [UInt8]) {
    guard octets.count == 64 else { return nil }
    self.init()
    for index in 0..<16 {
      let bits = octets[4 * index..<4 * index + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let value = Float(bitPattern: bits)
      guard value.isFinite else { return nil }
      self[index / 4][index % 4] = value
    }
  }
}
