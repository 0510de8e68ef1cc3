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

  private static let widthsWGS84 = [33, 33, 30]
  private static let widthsRelative = [28, 28, 24]

  /// The size of an encoded location in octets.
  static func size(isRelative: Bool) -> Int { isRelative ? 10 : 12 }

  /// Parses `size(isRelative:)` octets.
  init(parsing input: inout UCICursor, isRelative: Bool) throws(UCIError) {
    var bits = BitFields(try input.takeOctets(Self.size(isRelative: isRelative), .location))
    let fields = (isRelative ? Self.widthsRelative : Self.widthsWGS84).map { bits.takeSigned($0) }
    if isRelative {
      self = .relative(
        xMillimetres: Int32(truncatingIfNeeded: fields[0]),
        yMillimetres: Int32(truncatingIfNeeded: fields[1]),
        zMillimetres: Int32(truncatingIfNeeded: fields[2]))
    } else {
      self = .wgs84(
        latitudeQ9_24: fields[0], longitudeQ9_24: fields[1],
        altitudeQ9_21: Int32(truncatingIfNeeded: fields[2]))
    }
  }

  /// The encoded location. High bits that a field has no room for are dropped.
  var octets: [UInt8] {
    var bits = BitFields([])
    switch self {
    case .wgs84(let latitude, let longitude, let altitude):
      for (value, width) in zip([latitude, longitude, Int64(altitude)], Self.widthsWGS84) {
        bits.append(value, width)
      }
    case .relative(let x, let y, let z):
      for (value, width) in zip([x, y, z], Self.widthsRelative) { bits.append(Int64(value), width) }
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

  /// Reads a signed field of 1 to 63 bits; bits past the end read as 0.
  mutating func takeSigned(_ width: Int) -> Int64 {
    var value: UInt64 = 0
    for place in Self.places(width) { value |= UInt64(takeBit()) << UInt64(place) }
    let unused = UInt64(64 - width)
    return Int64(bitPattern: value << unused) >> Int64(unused)
  }

  mutating func append(_ value: Int64, _ width: Int) {
    for place in Self.places(width) { append(bit: UInt8(truncatingIfNeeded: value >> Int64(place)) & 1) }
  }

  /// The binary place of each bit of a field, in the order on the wire.
  private static func places(_ width: Int) -> [Int] {
    stride(from: 0, to: width, by: 8).flatMap { low in (low..<min(low + 8, width)).reversed() }
  }

  private mutating func takeBit() -> UInt8 {
    let index = count / 8
    let shift = UInt8(7 - count % 8)
    count += 1
    return index < octets.count ? octets[index] >> shift & 1 : 0
  }

  private mutating func append(bit: UInt8) {
    if count % 8 == 0 { octets.append(0) }
    octets[octets.count - 1] |= bit << UInt8(7 - count % 8)
    count += 1
  }
}
