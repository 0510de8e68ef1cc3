import Foundation
import NearbyAccessory
import NearbyTextForms

/// What `nearby accessory` prints of an event: a line, or one JSON object.
struct AccessoryText {
  let isJSON: Bool
  /// Whether a line says so of a phone that may not have anything done; JSON always does.
  var marksStrangers = false
  /// What a phone is called for good.
  var identifier: (AccessoryPhone) -> String? = { _ in nil }

  static func metres(_ distance: Double) -> String { NumberFormat.fixed(distance, 2) }

  /// `nil` for what is said elsewhere.
  func line(_ event: Accessory.Event) -> String? { isJSON ? json(event) : plain(event) }

  private func plain(_ event: Accessory.Event) -> String? {
    switch event {
    case .ready(let data): "ready: phones are told \(Self.hex(data))"
    case .unavailable, .bluetoothUnavailable: nil
    case .connected(let phone): "\(phone): connected" + (identifier(phone).map { ", \($0)" } ?? "")
    case .disconnected(let phone): "\(phone): disconnected"
    case .started(let phone): "\(phone): ranging"
    case .measured(let reading):
      "\(reading.phone): " + (reading.distance.map { "\(Self.metres($0)) m" } ?? "somewhere")
        + (marksStrangers && !reading.isAuthorized ? ", not authorized" : "")
    case .stopped(let phone, let reason): "\(phone): stopped, \(reason.rawValue)"
    case .refused(let phone, let refusal): "\(phone): refused, \(refusal)"
    }
  }

  private func json(_ event: Accessory.Event) -> String? {
    var line = JSONLine()
    func name(_ event: String, _ phone: AccessoryPhone? = nil) {
      line.add("event", text: event)
      if let phone { line.add("phone", text: "\(phone)") }
    }
    switch event {
    case .ready(let data):
      name("ready")
      line.add("data", text: Self.hex(data))
    case .unavailable: name("unavailable")
    case .bluetoothUnavailable(let reason):
      name("bluetoothUnavailable")
      line.add("reason", text: reason)
    case .connected(let phone):
      name("connected", phone)
      if let identifier = identifier(phone) { line.add("id", text: identifier) }
    case .disconnected(let phone): name("disconnected", phone)
    case .started(let phone): name("started", phone)
    case .measured(let reading):
      name("measured", reading.phone)
      if let distance = reading.distance { line.add("distance", distance, decimals: 3) }
      if let sigma = reading.sigma { line.add("sigma", sigma, decimals: 3) }
      line.add("authorized", reading.isAuthorized)
    case .stopped(let phone, let reason):
      name("stopped", phone)
      line.add("reason", text: reason.rawValue)
    case .refused(let phone, let refusal):
      name("refused", phone)
      line.add("reason", text: "\(refusal)")
    }
    return line.closed()
  }

  private static func hex(_ data: Data) -> String {
    data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
