import NearbyOctets

/// What an app shows its user, reported for people who watch its world.
package struct AppDisplay: Equatable, Sendable {
  /// A rotating ray, as on a radar screen.
  package struct Radar: Equatable, Sendable {
    /// Brightness of the ray, 0 to 1.
    package var brightness: Double
    /// Rotations per second, 0 to 20.
    package var sweepsPerSecond: Double

    package init(brightness: Double, sweepsPerSecond: Double) {
      self.brightness = brightness
      self.sweepsPerSecond = sweepsPerSecond
    }
  }

  /// Where the app believes the device is.
  package struct Place: Equatable, Sendable {
    /// Metres in the world.
    package var position: SIMD3<Double>
    /// xx, xy and yy of the covariance in the plan, metres².
    package var spread: SIMD3<Double>

    package init(position: SIMD3<Double>, spread: SIMD3<Double>) {
      self.position = position
      self.spread = spread
    }
  }

  package static let mostItems = 64
  package static let fastestSweep = 20.0

  /// Main line of text, at most 255 octets.
  package var line: String
  /// Lines below it, at most 255 octets each.
  package var items: [String]
  package var radar: Radar?
  package var place: Place?

  package init(line: String, items: [String] = [], radar: Radar? = nil, place: Place? = nil) {
    self.line = line
    self.items = items
    self.radar = radar
    self.place = place
  }
}

/// Layout: line (text), count of items (`u16`, at most 64), each item (text), then an optional radar:
/// brightness (`f64`), sweeps per second (`f64`). If the app says where it is, the place follows: position (3 `f64`),
/// spread (3 `f64`). Without one the message ends before it, as older worlds expect.
extension AppDisplay {
  func write(to octets: inout [UInt8]) {
    octets.append(text: line, maximum: DeviceHello.longestText)
    let kept = items.prefix(Self.mostItems)
    octets.append(littleEndian: UInt16(kept.count))
    for item in kept { octets.append(text: item, maximum: DeviceHello.longestText) }
    octets.append(optional: radar) { octets, radar in
      octets.append(number: radar.brightness)
      octets.append(number: radar.sweepsPerSecond)
    }
    if let place {
      octets.append(vector: place.position)
      octets.append(vector: place.spread)
    }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    line = try reader.takeText("line", maximum: DeviceHello.longestText)
    let count = Int(try reader.takeUInt16("items"))
    guard count <= Self.mostItems else {
      throw reader.error("items", back: 2, "\(count); at most \(Self.mostItems)")
    }
    items = []
    for _ in 0..<count { items.append(try reader.takeText("item", maximum: DeviceHello.longestText)) }
    radar = try reader.takeOptional("radar") { (reader) throws(WorldProtocolError) in
      Radar(
        brightness: try reader.takeShare("brightness", most: 1),
        sweepsPerSecond: try reader.takeShare("sweeps", most: Self.fastestSweep))
    }
    if reader.isEmpty { return }
    place = Place(
      position: try reader.takeVector("place"), spread: try reader.takeVector("spread", limit: 1e12))
  }
}

/// The background modes that an app declares: its `UIBackgroundModes`.
package struct AppBackgroundModes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let nearbyInteraction = Self(rawValue: 1 << 0)
  package static let bluetoothCentral = Self(rawValue: 1 << 1)
  package static let bluetoothPeripheral = Self(rawValue: 1 << 2)
  private static let all: Self = [.nearbyInteraction, .bluetoothCentral, .bluetoothPeripheral]

  /// Creates the set from a property list's names, ignoring modes that a world does not simulate.
  package init(named names: Set<String>) {
    self = []
    if names.contains("nearby-interaction") { insert(.nearbyInteraction) }
    if names.contains("bluetooth-central") { insert(.bluetoothCentral) }
    if names.contains("bluetooth-peripheral") { insert(.bluetoothPeripheral) }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    let raw = try reader.takeUInt8("background modes")
    guard raw & ~Self.all.rawValue == 0 else {
      throw reader.error("background modes", back: 1, "\(raw); 0 to \(Self.all.rawValue) expected")
    }
    self.init(rawValue: raw)
  }
}

extension WorldReader {
  /// A number from 0 to `most`.
  fileprivate mutating func takeShare(_ field: String, most: Double) throws(WorldProtocolError) -> Double {
    let value = try takeDouble(field, limit: most)
    guard value >= 0 else { throw error(field, back: 8, "\(value); 0 to \(most) expected") }
    return value
  }
}
