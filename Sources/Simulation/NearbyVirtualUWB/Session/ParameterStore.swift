import NearbyOctets

/// The application parameters a host has set, in ascending order of their ids.
///
/// One flat buffer of id, length, value: a session's parameters cost one allocation.
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

  /// Sets a value of at most 255 octets.
  mutating func set(_ id: UInt8, _ value: some Collection<UInt8>) {
    guard let length = UInt8(exactly: value.count) else { return }
    let (place, found) = find(id)
    let end = found ? place + 2 + Int(octets[place + 1]) : place
    octets.replaceSubrange(place..<end, with: [id, length] + Array(value))
  }

  /// The value as a little-endian number; `fallback` when it was not set.
  func number(_ id: UInt8, _ fallback: UInt64) -> UInt64 {
    guard let value = self[id], value.count <= 8 else { return fallback }
    return UInt64(littleEndianOctets: value)
  }

  func octet(_ id: UInt8, _ fallback: UInt8) -> UInt8 { self[id]?.first ?? fallback }

  /// Where the parameter is, or where it belongs.
  private func find(_ id: UInt8) -> (place: Int, found: Bool) {
    var place = 0
    while place < octets.count {
      if octets[place] >= id { return (place, octets[place] == id) }
      place += 2 + Int(octets[place + 1])
    }
    return (place, false)
  }
}
