import Foundation
import NearbySimulator
import NearbyWorldProtocol

/// A request from a page. The world checks whether what it refers to exists. Source: `Docs/world-page.md`.
package enum PageOrder: Equatable, Sendable {
  case watch(device: Int?, uci: Bool)
  case world(WorldOrder)
  case step(Duration)
  case save
  /// Asks for the expected error over the floor, at a height in metres.
  case expected(network: UInt32, height: Double)
}

/// Why a page's message is not a valid order.
package struct PageOrderError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  init(description: String) { self.description = description }
  init(_ refusal: WorldRefusal) { description = refusal.description }
}

/// Parses one message from a page: a JSON object whose `do` names the order.
package struct PageOrderReader {
  private let fields: [String: Any]

  package static func read(_ text: String) throws(PageOrderError) -> PageOrder {
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
      let fields = value as? [String: Any]
    else { throw PageOrderError(description: "no JSON object") }
    let reader = PageOrderReader(fields: fields)
    switch try reader.text("do") {
    case "watch": return try reader.watch()
    case "removeWall": return .world(.removeWall(id: try reader.whole("id", 0...1_000_000_000)))
    case "removeDevice": return .world(.removeDevice(try reader.device()))
    case "beacon":
      return .world(.beacon(try reader.beacon(), isOn: try reader.flag("value")))
    case "placeBeacon":
      return .world(.placeBeacon(try reader.beacon(), try reader.place("p")))
    case "anchor": return .world(.anchor(try reader.anchor(), isOn: try reader.flag("value")))
    case "placeAnchor": return .world(.placeAnchor(try reader.anchor(), try reader.place("p")))
    case "anchorFault": return .world(try reader.anchorFault())
    case "addAnchor":
      return .world(
        .addAnchor(name: try reader.name(), network: try reader.network(), try reader.place("p")))
    case "expected":
      return .expected(network: try reader.network(), height: try reader.number("height", -1000...1000))
    case "step": return .step(.seconds(try reader.number("seconds", 0...60)))
    case "save": return .save
    case let word: return .world(try reader.order(word))
    }
  }

  private func watch() throws(PageOrderError) -> PageOrder {
    let device = fields["device"] is NSNull || fields["device"] == nil ? nil : try device()
    return .watch(device: device, uci: fields["uci"] == nil ? false : try flag("uci"))
  }

  private func anchorFault() throws(PageOrderError) -> WorldOrder {
    let word = try text("fault")
    guard let fault = AnchorFaultKind(rawValue: word) else {
      let known = AnchorFaultKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("fault", word, "one of \(known)")
    }
    return .anchorFault(try anchor(), fault, try number("value", fault.range))
  }

  private func network() throws(PageOrderError) -> UInt32 {
    UInt32(try whole("network", 0...4_294_967_295))
  }

  private func name() throws(PageOrderError) -> String {
    let name = try text("name")
    guard (1...64).contains(name.utf8.count) else { throw error("name", name, "1 to 64 octets") }
    return name
  }

  private func order(_ word: String) throws(PageOrderError) -> WorldOrder {
    switch word {
    case "addWall":
      let name = try text("material")
      guard let material = Material.named(name) else { throw error("material", name, "a built-in material") }
      return .addWall(
        Wall(
          from: try point("from"), to: try point("to"), top: try number("top", 0.1...100), material: material)
      )
    case "addDevice":
      let kind = try text("kind")
      guard let kind = PlacedKind(rawValue: kind) else { throw error("kind", kind, "a kind of device") }
      return .addDevice(name: try name(), kind, try place("p"))
    case "rate": return .rate(try rate())
    case "place", "turn", "foreground", "answer", "pick", "standingAnswer", "light", "features", "loss",
      "radio",
      "bluetooth":
      return try order(word, of: try device())
    default: throw error("do", word, "an order of the page's")
    }
  }

  private func order(_ word: String, of device: Int) throws(PageOrderError) -> WorldOrder {
    switch word {
    case "place": return .place(device: device, try place("p"))
    case "turn":
      return .turn(
        device: device, heading: PageAngle.radians(try number("heading", -720...720)),
        pitch: PageAngle.radians(try number("pitch", -180...180)),
        roll: PageAngle.radians(try number("roll", -180...180)))
    case "foreground": return .foreground(device: device, try flag("value"))
    case "answer": return .answer(device: device, try question(), try answer())
    case "pick":
      return .pick(device: device, number: UInt32(try whole("picker", 0...Int(UInt32.max))), try pick())
    case "standingAnswer":
      return .standingAnswer(device: device, fields["value"] is NSNull ? nil : try answer())
    case "light": return .light(device: device, try number("value", 0...2000))
    case "features": return .features(device: device, try flag("value"))
    case "bluetooth": return .bluetooth(device: device, isOn: try flag("value"))
    case "loss": return .loss(device: device, try number("value", 0...1))
    default: return .radio(device: device, isOn: try flag("value"))
    }
  }

  // MARK: Fields

  private func error(_ key: String, _ found: Any?, _ expected: String) -> PageOrderError {
    let text = found.map { "\($0)".prefix(100) } ?? "nothing"
    return PageOrderError(description: "\(key): found '\(text)', expected \(expected)")
  }

  /// Distinguishes booleans from numbers: Foundation converts either to the other, but its `NSNumber` keeps
  /// the original type.
  private static func isFlag(_ value: Any?) -> Bool {
    (value as? NSNumber).map { $0.objCType.pointee == 0x63 } ?? false
  }

  private func text(_ key: String) throws(PageOrderError) -> String {
    guard let text = fields[key] as? String else { throw error(key, fields[key], "text") }
    return text
  }

  private func flag(_ key: String) throws(PageOrderError) -> Bool {
    guard let flag = fields[key] as? Bool, Self.isFlag(fields[key]) else {
      throw error(key, fields[key], "true or false")
    }
    return flag
  }

  private func number(_ key: String, _ range: ClosedRange<Double>) throws(PageOrderError) -> Double {
    guard !Self.isFlag(fields[key]), let number = fields[key] as? Double, range.contains(number) else {
      throw error(key, fields[key], "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func rate() throws(PageOrderError) -> WorldRate {
    let value = try number("value", 0...WorldRate.fastest)
    guard let rate = WorldRate(value) else {
      throw error("value", value, "0, or a rate from \(WorldRate.slowest) to \(WorldRate.fastest)")
    }
    return rate
  }

  private func whole(_ key: String, _ range: ClosedRange<Int>) throws(PageOrderError) -> Int {
    guard !Self.isFlag(fields[key]), let number = fields[key] as? Int, range.contains(number) else {
      throw error(key, fields[key], "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func device() throws(PageOrderError) -> Int { try id("device", WorldRefusal.deviceExpected) }
  private func anchor() throws(PageOrderError) -> Int { try id("anchor", WorldRefusal.anchorExpected) }
  private func beacon() throws(PageOrderError) -> Int { try id("beacon", WorldRefusal.beaconExpected) }

  private func id(_ key: String, _ expected: String) throws(PageOrderError) -> Int {
    guard !Self.isFlag(fields[key]), let id = fields[key] as? Int else {
      throw error(key, fields[key], expected)
    }
    return id
  }

  private func numbers(_ key: String, _ count: Int) throws(PageOrderError) -> [Double] {
    guard let list = fields[key] as? [Any], list.count == count else {
      throw error(key, fields[key], "\(count) numbers")
    }
    let numbers = list.compactMap { Self.isFlag($0) ? nil : $0 as? Double }.filter { abs($0) <= 100_000 }
    guard numbers.count == count else { throw error(key, fields[key], "\(count) numbers within ±100 000") }
    return numbers
  }

  private func point(_ key: String) throws(PageOrderError) -> SIMD2<Double> {
    let numbers = try numbers(key, 2)
    return SIMD2(numbers[0], numbers[1])
  }

  private func place(_ key: String) throws(PageOrderError) -> SIMD3<Double> {
    let numbers = try numbers(key, 3)
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  private func question() throws(PageOrderError) -> WorldQuestion {
    switch try text("question") {
    case "nearby": return .nearby
    case "camera": return .camera
    case "bluetooth": return .bluetooth
    case "location": return .location
    case "locationAlways": return .locationAlways
    case let word:
      throw error("question", word, "nearby, camera, bluetooth, location or locationAlways")
    }
  }

  private func pick() throws(PageOrderError) -> WorldPick {
    switch try text("value") {
    case "cancel": return .cancel
    case "agree": return .agree
    case "choose":
      let text = try text("peer")
      guard let peer = PickerText.peer(text) else { throw error("peer", text, "a peer of the picker") }
      return .choose(peer)
    case "name":
      let name = try text("name")
      guard name.utf8.count <= WorldPicker.longestName else {
        throw error("name", name, "at most \(WorldPicker.longestName) octets")
      }
      return .name(name)
    case let word: throw error("value", word, "cancel, choose, agree or name")
    }
  }

  private func answer() throws(PageOrderError) -> WorldAnswer {
    let word = try text("value")
    guard let answer = WorldAnswer.allCases.first(where: { "\($0)" == word }) else {
      throw error("value", word, "allowed, allowedOnce, denied or notDetermined")
    }
    return answer
  }
}
