import NearbyBluetooth
import NearbyOctets

/// What an app's accessory picker asks the device's user.
package struct WorldPicker: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Which of these to set up; more may be found. Empty while nothing was found.
    case choose([Offer])
    /// Whether the app keeps the accessories of these names that it used before.
    case migrate([String])
    /// Nothing: the device pairs with the accessory of this name. The user can only cancel.
    case pairing(String)
    /// What the accessory of this name is to be called.
    case name(String)
  }

  /// An accessory that the picker offers.
  package struct Offer: Equatable, Sendable {
    package var peer: BluetoothPeer
    package var name: String
    /// The name that the accessory advertises.
    package var advertisedName: String?

    package init(peer: BluetoothPeer, name: String, advertisedName: String?) {
      self.peer = peer
      self.name = name
      self.advertisedName = advertisedName
    }
  }

  /// Number of accessories in one picker; more are not sent.
  package static let mostOffers = 100
  package static let longestName = 255

  /// Identifies the picker, or the request for a name. A reply states it, so that it never concerns a later one.
  package var number: UInt32
  package var kind: Kind

  package init(number: UInt32, kind: Kind) {
    self.number = number
    self.kind = kind
  }
}

/// The user's reply to a picker.
package enum WorldPick: Equatable, Sendable {
  /// Close the picker; keeps the name that there is if one is asked for.
  case cancel
  case choose(BluetoothPeer)
  /// Agree to what the app used before.
  case agree
  case name(String)
}

/// Layout: number (`u32`), kind (`u8`): 0 choose, then a list of peer, name, optional advertised name; 1 migrate, then a
/// list of names; 2 pairing and 3 name, then a name. A list is preceded by its 16-bit length, at most 100; a name is text
/// of at most 255 octets.
extension WorldPicker {
  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: number)
    switch kind {
    case .choose(let offers):
      octets.append(0)
      octets.append(list: Array(offers.prefix(Self.mostOffers))) { octets, offer in
        octets.append(peer: offer.peer)
        octets.append(text: offer.name, maximum: Self.longestName)
        octets.append(optional: offer.advertisedName) { $0.append(text: $1, maximum: Self.longestName) }
      }
    case .migrate(let names):
      octets.append(1)
      octets.append(list: Array(names.prefix(Self.mostOffers))) {
        $0.append(text: $1, maximum: Self.longestName)
      }
    case .pairing(let name):
      octets.append(2)
      octets.append(text: name, maximum: Self.longestName)
    case .name(let name):
      octets.append(3)
      octets.append(text: name, maximum: Self.longestName)
    }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    number = try reader.takeUInt32("number")
    let code = try reader.takeUInt8("kind")
    switch code {
    case 0:
      kind = .choose(try reader.takePickerList { (reader) throws(WorldProtocolError) in try Offer(&reader) })
    case 1:
      kind = .migrate(
        try reader.takePickerList { (reader) throws(WorldProtocolError) in
          try reader.takeText("name", maximum: Self.longestName)
        })
    case 2: kind = .pairing(try reader.takeText("name", maximum: Self.longestName))
    case 3: kind = .name(try reader.takeText("name", maximum: Self.longestName))
    default: throw reader.error("kind", back: 1, "\(code); 0 to 3 expected")
    }
  }
}

extension WorldPicker.Offer {
  fileprivate init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    peer = try reader.takePeer()
    name = try reader.takeText("name", maximum: WorldPicker.longestName)
    advertisedName = try reader.takeOptional("advertised name") { (reader) throws(WorldProtocolError) in
      try reader.takeText("advertised name", maximum: WorldPicker.longestName)
    }
  }
}

extension WorldReader {
  fileprivate mutating func takePickerList<Value>(
    _ body: (inout WorldReader) throws(WorldProtocolError) -> Value
  ) throws(WorldProtocolError) -> [Value] {
    let list = try takeList("offers", body)
    guard list.count <= WorldPicker.mostOffers else {
      throw error("offers", "\(list.count) offers; at most \(WorldPicker.mostOffers)")
    }
    return list
  }
}

/// Layout: reply (`u8`): 0 cancel; 1 choose, then a peer; 2 agree; 3 name, then text of at most 255 octets.
extension WorldPick {
  func write(to octets: inout [UInt8]) {
    switch self {
    case .cancel: octets.append(0)
    case .choose(let peer):
      octets.append(1)
      octets.append(peer: peer)
    case .agree: octets.append(2)
    case .name(let name):
      octets.append(3)
      octets.append(text: name, maximum: WorldPicker.longestName)
    }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    let code = try reader.takeUInt8("reply")
    switch code {
    case 0: self = .cancel
    case 1: self = .choose(try reader.takePeer())
    case 2: self = .agree
    case 3: self = .name(try reader.takeText("name", maximum: WorldPicker.longestName))
    default: throw reader.error("reply", back: 1, "\(code); 0 to 3 expected")
    }
  }
}
