import NearbyOctets

/// Google's beacon frames, sent as service data of UUID 0xFEAA.
///
/// Source: github.com/google/eddystone, protocol-specification.md. After the service UUID, with numbers
/// big-endian and sizes in parentheses:
///
///     UID            00 | power (1) | namespace (10) | instance (6) | reserved (2), optional
///     URL            10 | power (1) | scheme (1)     | text (0 to 17)
///     TLM, plain     20 | 00 | battery (2) | temperature (2) | advertisements (4) | uptime (4)
///     TLM, encrypted 20 | 01 | ciphertext (12) | salt (2) | check (2)
///     EID            30 | power (1) | ephemeral identifier (8)
package enum Eddystone {
  package static let service: UInt16 = 0xFEAA

  enum FrameType {
    static let uid: UInt8 = 0x00
    static let url: UInt8 = 0x10
    static let telemetry: UInt8 = 0x20
    static let ephemeral: UInt8 = 0x30
  }

  /// Path loss of the first metre, dB. Eddystone frames state the power at 0 m.
  package static let firstMetre = 41

  /// A namespace of ten octets and an instance of six.
  package struct UID: Hashable, Sendable {
    /// Power at 0 m in dBm.
    package var power: Int8
    /// The namespace's ten octets, most significant first, split into eight and two.
    package var namespaceHigh: UInt64
    package var namespaceLow: UInt16
    /// The instance's six octets.
    package let instance: UInt64

    /// Type, power, namespace and instance. Source: Eddystone protocol specification, Eddystone-UID.
    static let size = 18
    /// Size with the two reserved octets, which some beacons leave out.
    static let fullSize = 20

    /// - Parameter instance: 48 bits; higher bits are dropped.
    package init(power: Int8, namespaceHigh: UInt64, namespaceLow: UInt16, instance: UInt64) {
      self.power = power
      self.namespaceHigh = namespaceHigh
      self.namespaceLow = namespaceLow
      self.instance = instance & 0xFFFF_FFFF_FFFF
    }
  }

  /// A beacon's condition. The frame has no identity and no power; it belongs to the other frames from its
  /// address.
  package enum Telemetry: Hashable, Sendable {
    case plain(PlainTelemetry)
    /// Twelve octets, salt and check, which only the owner can decrypt.
    case encrypted(high: UInt64, low: UInt32, salt: UInt16, check: UInt16)

    /// Octets with the type. Source: Eddystone protocol specification, Eddystone-TLM, plain and encrypted.
    static let plainSize = 14
    static let encryptedSize = 18
  }

  package struct PlainTelemetry: Hashable, Sendable {
    /// In millivolts; 0 without a battery.
    package var batteryMillivolts: UInt16
    /// In 1/256 °C; `temperatureAbsent` if not measured.
    package var temperature256ths: Int16
    /// Count since the beacon started.
    package var advertisements: UInt32
    /// Time since the beacon started, in tenths of a second.
    package var uptimeTenths: UInt32

    package static let temperatureAbsent = Int16.min

    package init(
      batteryMillivolts: UInt16, temperature256ths: Int16 = temperatureAbsent, advertisements: UInt32,
      uptimeTenths: UInt32
    ) {
      self.batteryMillivolts = batteryMillivolts
      self.temperature256ths = temperature256ths
      self.advertisements = advertisements
      self.uptimeTenths = uptimeTenths
    }

    /// In °C; `nil` if not measured.
    package var temperatureCelsius: Double? {
      temperature256ths == Self.temperatureAbsent ? nil : Double(temperature256ths) / 256
    }
  }

  /// A changing identity that only the holder of its key can resolve.
  package struct EphemeralID: Hashable, Sendable {
    /// Power at 0 m in dBm.
    package var power: Int8
    package var identifier: UInt64
    static let size = 10

    package init(power: Int8, identifier: UInt64) {
      self.power = power
      self.identifier = identifier
    }
  }
}

extension Eddystone.UID {
  /// - Parameter start: Index of the frame type; the caller has checked that `size` octets follow.
  @inline(__always)
  init(_ payload: Span<UInt8>, at start: Int) {
    power = Int8(bitPattern: payload[start + 1])
    namespaceHigh = payload.bigEndian(at: start + 2)
    namespaceLow = payload.bigEndian(at: start + 10)
    instance =
      UInt64(payload.bigEndian(UInt16.self, at: start + 12)) << 32
      | UInt64(payload.bigEndian(UInt32.self, at: start + 14))
  }

  /// Power at 1 m in dBm.
  package var measuredPower: Int { Int(power) - Eddystone.firstMetre }

  /// The octets after the service UUID.
  package var serviceOctets: [UInt8] {
    var octets = [Eddystone.FrameType.uid, UInt8(bitPattern: power)]
    octets.append(bigEndian: namespaceHigh)
    octets.append(bigEndian: namespaceLow)
    octets.append(bigEndian: UInt16(truncatingIfNeeded: instance >> 32))
    octets.append(bigEndian: UInt32(truncatingIfNeeded: instance))
    return octets + [0, 0]
  }
}

extension Eddystone.Telemetry {
  /// - Parameter start: Index of the frame type; the caller has checked that `plainSize` octets follow.
  static func plain(_ payload: Span<UInt8>, at start: Int) -> Self {
    .plain(
      Eddystone.PlainTelemetry(
        batteryMillivolts: payload.bigEndian(at: start + 2),
        temperature256ths: payload.bigEndian(at: start + 4),
        advertisements: payload.bigEndian(at: start + 6),
        uptimeTenths: payload.bigEndian(at: start + 10)))
  }

  /// - Parameter start: Index of the frame type; the caller has checked that `encryptedSize` octets follow.
  static func encrypted(_ payload: Span<UInt8>, at start: Int) -> Self {
    .encrypted(
      high: payload.bigEndian(at: start + 2), low: payload.bigEndian(at: start + 10),
      salt: payload.bigEndian(at: start + 14), check: payload.bigEndian(at: start + 16))
  }

  /// The octets after the service UUID.
  package var serviceOctets: [UInt8] {
    switch self {
    case .plain(let plain):
      var octets = [Eddystone.FrameType.telemetry, 0]
      octets.append(bigEndian: plain.batteryMillivolts)
      octets.append(bigEndian: UInt16(bitPattern: plain.temperature256ths))
      octets.append(bigEndian: plain.advertisements)
      octets.append(bigEndian: plain.uptimeTenths)
      return octets
    case .encrypted(let high, let low, let salt, let check):
      var octets = [Eddystone.FrameType.telemetry, 1]
      octets.append(bigEndian: high)
      octets.append(bigEndian: low)
      octets.append(bigEndian: salt)
      octets.append(bigEndian: check)
      return octets
    }
  }
}

extension Eddystone.EphemeralID {
  /// - Parameter start: Index of the frame type; the caller has checked that `size` octets follow.
  init(_ payload: Span<UInt8>, at start: Int) {
    power = Int8(bitPattern: payload[start + 1])
    identifier = payload.bigEndian(at: start + 2)
  }

  /// The octets after the service UUID.
  package var serviceOctets: [UInt8] {
    var octets = [Eddystone.FrameType.ephemeral, UInt8(bitPattern: power)]
    octets.append(bigEndian: identifier)
    return octets
  }
}
