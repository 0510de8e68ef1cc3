import NearbyOctets

/// Where a DL-TDoA anchor is, as it says itself in its messages and in DL_TDOA_ANCHOR_LOCATION.
///
/// Both forms are one string of bits, each octet with its most significant bit first. A field of n bits begins
/// with its n / 8 low octets, the lowest first; the remaining n % 8 high bits follow.
///
/// ```
/// WGS-84, 12 octets     latitude 33 bits, longitude 33 bits, altitude 30 bits
/// relative, 10 octets   x 28 bits, y 28 bits, z 24 bits
/// ```
///
/// All fields are signed. Source: FiRa UCI Generic Specification 2.0, DL_TDOA_ANCHOR_LOCATION; the five examples in the
/// test of AOSP's `UwbAnchorLocation`.
package enum UCIAnchorLocation: Hashable, Sendable {
  /// Latitude and longitude in Q9.24 degrees, altitude in Q9.21 kilometres.
  case wgs84(latitudeQ9_24: Int64, longitudeQ9_24: Int64, altitudeQ9_21: Int32)
  /// Coordinates in the frame of the anchors' network, in millimetres: 28, 28 and 24 bits.
  case relative(xMillimetres: Int32, yMillimetres: Int32, zMillimetres: Int32)

  /// Parses the value of DL_TDOA_ANCHOR_LOCATION; `nil` if it holds no location.
  package init?(parameter octets: [UInt8]) {
    guard octets.count > 1, octets[0] & 1 != 0 else { return nil }
    var input = UCICursor(octets.span)
    guard (try? input.takeUInt8(.location)) != nil,
      let location = try? UCIAnchorLocation(parsing: &input, isRelative: octets.count == 11)
    else { return nil }
    self = location
  }

  /// The value of DL_TDOA_ANCHOR_LOCATION: bit 0 of the first octet is set if a location follows, bit 1 if it
  /// is relative.
  package var parameter: [UInt8] { [isRelative ? 3 : 1] + octets }

  /// The size of an encoded location in octets.
  static func size(isRelative: Bool) -> Int { isRelative ? 10 : 12 }

  /// Parses `size(isRelative:)` octets.
  init(parsing input: inout UCICursor, isRelative: Bool) throws(UCIError) {
    var bits = BitFields(try input.takeOctets(Self.size(isRelative: isRelative), .location))
    if isRelative {
      self = .relative(
        xMillimetres: Int32(truncatingIfNeeded: bits.takeSigned(28)),
        yMillimetres: Int32(truncatingIfNeeded: bits.takeSigned(28)),
        zMillimetres: Int32(truncatingIfNeeded: bits.takeSigned(24)))
    } else {
      self = .wgs84(
        latitudeQ9_24: bits.takeSigned(33), longitudeQ9_24: bits.takeSigned(33),
        altitudeQ9_21: Int32(truncatingIfNeeded: bits.takeSigned(30)))
    }
  }

  /// The encoded location. High bits that a field has no room for are dropped.
  var octets: [UInt8] {
    var bits = BitFields(capacity: Self.size(isRelative: isRelative))
    switch self {
    case .wgs84(let latitude, let longitude, let altitude):
      bits.append(latitude, 33)
      bits.append(longitude, 33)
      bits.append(Int64(altitude), 30)
    case .relative(let x, let y, let z):
      bits.append(Int64(x), 28)
      bits.append(Int64(y), 28)
      bits.append(Int64(z), 24)
    }
    return bits.octets
  }

  var isRelative: Bool {
    switch self {
    case .wgs84: false
    case .relative: true
    }
  }
}

/// Fields in the bit order of anchor locations.
private struct BitFields {
  private(set) var octets: [UInt8]
  /// The number of bits read or written.
  private var count = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  init(capacity: Int) {
    octets = []
    octets.reserveCapacity(capacity)
  }

  /// Reads a signed field of 1 to 63 bits; bits past the end read as 0.
  mutating func takeSigned(_ width: Int) -> Int64 {
    var value: UInt64 = 0
    for low in stride(from: 0, to: width, by: 8) { value |= take(min(8, width - low)) << UInt64(low) }
    let unused = UInt64(64 - width)
    return Int64(bitPattern: value << unused) >> Int64(unused)
  }

  mutating func append(_ value: Int64, _ width: Int) {
    for low in stride(from: 0, to: width, by: 8) {
      append(UInt64(bitPattern: value >> Int64(low)), bits: min(8, width - low))
    }
  }

  /// Reads 1 to 8 bits, the most significant first.
  private mutating func take(_ width: Int) -> UInt64 {
    let index = count / 8
    // The two octets that the bits lie in.
    let pair = UInt64(octet(index)) << 8 | UInt64(octet(index + 1))
    let shift = UInt64(16 - count % 8 - width)
    count += width
    return pair >> shift & (1 << UInt64(width) - 1)
  }

  private func octet(_ index: Int) -> UInt8 { index < octets.count ? octets[index] : 0 }

  /// Appends the low 1 to 8 bits of a value, the most significant first.
  private mutating func append(_ value: UInt64, bits width: Int) {
    let used = count % 8
    // The bits in two octets, behind those that are already used.
    let pair = (value & (1 << UInt64(width) - 1)) << UInt64(16 - used - width)
    if used == 0 { octets.append(0) }
    octets[octets.count - 1] |= UInt8(truncatingIfNeeded: pair >> 8)
    if used + width > 8 { octets.append(UInt8(truncatingIfNeeded: pair)) }
    count += width
  }
}
