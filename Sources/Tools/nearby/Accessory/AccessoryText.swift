import Foundation
import NearbyAccessory
import NearbyTextForms

/// The output of `nearby accessory` for an event: a line, or one JSON object.
struct AccessoryText {
  let isJSON: Bool
  /// Whether lines mark phones that commands may not run for; JSON always does.
  var marksStrangers = false
  /// The stable identifier of a phone.
  var identifier: (AccessoryPhone) -> String? = { _ in nil }

  init(isJSON: Bool, marksStrangers: Bool = false) {
    self.isJSON = isJSON
    self.marksStrangers = marksStrangers
  }

  static func metres(_ distance: Double) -> String { NumberFormat.fixed(distance, 2) }

  /// `nil` for events that are reported as errors.
  func line(_ event: Accessory.Event, at time: Duration) -> String? {
    isJSON ? json(event, at: time) : plain(event)
  }

  /// A phone came near or moved away.
  func line(_ change: NearTrigger.Change, _ reading: AccessoryReading, at time: Duration) -> String {
    guard isJSON else {
      return "\(reading.phone): \(change), \(reading.distance.map { "\(Self.metres($0)) m" } ?? "")"
        + stranger(reading)
    }
    var line = object("\(change)", reading.phone, at: time)
    line.add("distance", reading.distance, decimals: 3)
    line.add("authorized", reading.isAuthorized)
    return line.closed()
  }

  /// A phone that had been measured no longer ranges.
  func goneLine(_ phone: AccessoryPhone, at time: Duration) -> String {
    isJSON ? object("gone", phone, at: time).closed() : "\(phone): gone"
  }

  private func stranger(_ reading: AccessoryReading) -> String {
    marksStrangers && !reading.isAuthorized ? ", not authorized" : ""
  }

  private func plain(_ event: Accessory.Event) -> String? {
    switch event {
    case .ready(let data): "ready, configuration data \(Self.hex(data))"
    case .unavailable, .bluetoothUnavailable: nil
    case .connected(let phone): "\(phone): connected" + (identifier(phone).map { ", \($0)" } ?? "")
    case .disconnected(let phone): "\(phone): disconnected"
    case .started(let phone): "\(phone): ranging"
    case .measured(let reading):
      "\(reading.phone): " + (reading.distance.map { "\(Self.metres($0)) m" } ?? "distance unknown")
        + stranger(reading)
    case .stopped(let phone, let reason): "\(phone): stopped, \(reason.rawValue)"
    case .refused(let phone, let refusal): "\(phone): refused, \(refusal)"
    }
  }

  // MARK: JSON

  private func object(_ event: String, _ phone: AccessoryPhone?, at time: Duration) -> JSONLine {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("event", text: event)
    if let phone {
      line.add("phone", text: "\(phone)")
      line.add("id", text: identifier(phone))
    }
    return line
  }

  private func json(_ event: Accessory.Event, at time: Duration) -> String? {
    var line: JSONLine
    switch event {
    case .ready(let data):
      line = object("ready", nil, at: time)
      line.add("data", text: Self.hex(data))
    case .unavailable: line = object("unavailable", nil, at: time)
    case .bluetoothUnavailable(let reason):
      line = object("bluetoothUnavailable", nil, at: time)
      line.add("reason", text: reason)
    case .connected(let phone): line = object("connected", phone, at: time)
    case .disconnected(let phone): line = object("disconnected", phone, at: time)
    case .started(let phone): line = object("started", phone, at: time)
    case .measured(let reading):
      line = object("measured", reading.phone, at: time)
      line.add("distance", reading.distance, decimals: 3)
      line.add("sigma", reading.sigma, decimals: 3)
      line.add("authorized", reading.isAuthorized)
    case .stopped(let phone, let reason):
      line = object("stopped", phone, at: time)
      line.add("reason", text: reason.rawValue)
    case .refused(let phone, let refusal):
      line = object("refused", phone, at: time)
      line.add("reason", text: "\(refusal)")
    }
    return line.closed()
  }

  private static func hex(_ data: Data) -> String {
    data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
