import NearbyBluetooth
import NearbyTextForms
import NearbyWorldProtocol

/// An open accessory picker as shown on the page.
enum PickerText {
  /// A peer as 32 hexadecimal digits.
  static func text(of peer: BluetoothPeer) -> String {
    [peer.high, peer.low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }.joined()
  }

  /// The peer of 32 hexadecimal digits; `nil` for any other text.
  static func peer(_ text: String) -> BluetoothPeer? {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    return BluetoothPeer(high: high, low: low)
  }

  static func line(_ picker: WorldPicker) -> String {
    var line = JSONLine()
    line.add("number", Int(picker.number))
    switch picker.kind {
    case .choose(let offers):
      line.add("kind", text: "choose")
      var list = JSONArray()
      for offer in offers {
        var entry = JSONLine()
        entry.add("peer", text: text(of: offer.peer))
        entry.add("name", text: offer.name)
        entry.add("advertised", text: offer.advertisedName)
        list.add(json: entry.closed())
      }
      line.add("offers", json: list.closed())
    case .migrate(let names):
      line.add("kind", text: "migrate")
      line.add("names", json: JSONArray.of(names))
    case .pairing(let name):
      line.add("kind", text: "pairing")
      line.add("name", text: name)
    case .name(let name):
      line.add("kind", text: "name")
      line.add("name", text: name)
    }
    return line.closed()
  }
}
