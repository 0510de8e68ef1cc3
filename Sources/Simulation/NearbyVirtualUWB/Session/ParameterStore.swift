import NearbyOctets

/// The values of a session's application parameters, in ascending order of their ids.
///
/// Stored as one flat buffer of id, length and value, so that a session's parameters cost one allocation.
struct ParameterStore: Sendable, Equatable {
  private var octets: [UInt8] = []

  var ids: [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < octets.count {
      result.append(octets[place])
      place += 2 + Int(octets[place + 1])
    }
    return result
  }

  subscript(id: UInt8) -> ArraySlice<UInt8>? {
    let (place, found) = find(id)
    return found ? octets[(place + 2)..<(place + 2 + Int(octets[place + 1]))] : nil
  }

  /// Sets a parameter. A value longer than 255 octets is ignored.
  mutating func set(_ id: UInt8, _ value: some Collection<UInt8>) {
    guard let length = UInt8(exactly: value.count) else { return }
    let (place, found) = find(id)
    let end = found ? place + 2 + Int(octets[place + 1]) : place
    octets.replaceSubrange(place..<end, with: [id, length] + Array(value))
  }

  /// The value as a little-endian number; `fallback` if it is not set or longer than 8 octets.
  func number(_ id: UInt8, _ fallback: UInt64) -> UInt64 {
    guard let value = self[id], value.count <= 8 else { return fallback }
    return UInt64(littleEndianOctets: value)
  }

  func octet(_ id: UInt8, _ fallback: UInt8) -> UInt8 { self[id]?.first ?? fallback }

  /// The parameter's offset in the buffer, or the offset at which to insert it.
  private func find(_ id: UInt8) -> (place: Int, found: Bool) {
    var place = 0
    while place < octets.count {
      if octets[place] >= id { return (place, octets[place] == id) }
      place += 2 + Int(octets[place + 1])
    }
    return (place, false)
  }
}
