import AccessoryApp
import AccessorySetupKit
import CoreBluetooth
import DragonRadar
import Foundation
import ItemFinder
import Museum
import NearbyHome
import NearbyPosition
import NearbyTextForms
import NearbyWorldProtocol
import SmartSpeaker

/// An example app that runs as this process's device: its declarations, its start, and what it shows.
enum ExampleApp: String, CaseIterable {
  case radar, door, speaker, floor, finder
  case doorApp = "door-app"
  case speakerApp = "speaker-app"

  /// Called with what the app shows, from any thread.
  typealias Shown = @Sendable (AppDisplay) -> Void

  /// The keys of the app's Info.plist. The environment takes precedence.
  var declarations: [String: String] {
    switch self {
    case .radar: ["NSLocationWhenInUseUsageDescription": "The radar shows which treasures are near."]
    case .floor: ["NSLocationWhenInUseUsageDescription": "The plan shows in which room you are."]
    case .door, .speaker: [ProcessSettings.usageKey: "It ranges with phones that ask for it."]
    case .finder:
      [
        "NSAccessorySetupSupports": "Bluetooth",
        "NSAccessorySetupBluetoothServices": ItemFinder.service.uuidString,
      ]
    case .doorApp: [ProcessSettings.usageKey: "The app shows how far the door is."]
    case .speakerApp:
      [
        ProcessSettings.usageKey: "Music plays where you are.",
        ProcessSettings.backgroundKey: "nearby-interaction,bluetooth-central",
      ]
    }
  }

  /// Starts the app on the main thread. It runs as long as the returned object exists.
  func start(_ shown: @escaping Shown) -> AnyObject {
    switch self {
    case .radar: DragonRadar { shown(AppDisplay($0)) }
    case .floor:
      FloorApp(network: MuseumFloor.network, rooms: MuseumFloor.rooms) { shown(AppDisplay($0)) }
    case .speaker: Self.speaker(shown)
    case .door: Self.door(shown)
    case .finder: Self.finder(shown)
    case .doorApp: Self.show(AccessoryApp(AccessoryChannel(name: "Door")), shown)
    case .speakerApp: Self.show(SpeakerApp(speaker: "Speaker").app, shown)
    }
  }

  private static func door(_ shown: @escaping Shown) -> DoorOpener {
    let door = DoorOpener()
    door.onChange = { shown(AppDisplay($0)) }
    return door
  }

  private static func speaker(_ shown: @escaping Shown) -> Speaker {
    let speaker = Speaker(name: "Speaker")
    speaker.onChange = { shown(AppDisplay($0)) }
    return speaker
  }

  /// Shows the picker at the start, unless an item is set up already.
  private static func finder(_ shown: @escaping Shown) -> ItemFinder {
    let finder = ItemFinder(path: .coreBluetooth)
    var hasAsked = false
    finder.onChange = { [weak finder] in
      guard let finder else { return }
      shown(AppDisplay(finder))
      guard finder.screen == .needsItem, !hasAsked else { return }
      hasAsked = true
      finder.addItem()
    }
    return finder
  }

  private static func show(_ app: AccessoryApp, _ shown: @escaping Shown) -> AccessoryApp {
    app.onChange = { [weak app] in
      if let app { shown(AppDisplay(app)) }
    }
    return app
  }
}

extension AppDisplay {
  fileprivate init(_ state: RadarState) {
    self.init(
      line: state.line, items: state.found.map { "★ \($0.name)" },
      radar: Radar(brightness: state.brightness, sweepsPerSecond: state.sweepsPerSecond))
  }

  fileprivate init(_ place: FloorApp.Place) {
    switch place {
    case .searching: self.init(line: "looking for anchors")
    case .unknown(let reason): self.init(line: "no position: \(reason.rawValue)")
    case .stopped(let reason): self.init(line: reason)
    case .here(let room, let position, let sigma):
      let reach = Self.metres(max(sigma.x, sigma.y))
      self.init(
        line: room ?? "outside the plan",
        items: ["\(Self.metres(position.x)) m east, \(Self.metres(position.y)) m north, ± \(reach) m"],
        place: Place(position: position, spread: SIMD3(sigma.x * sigma.x, 0, sigma.y * sigma.y)))
    }
  }

  fileprivate init(_ speaker: Speaker) {
    self.init(
      line: speaker.isPlaying ? "♪ playing music" : "silent",
      items: speaker.distance.map { ["owner at \(Self.metres($0)) m"] } ?? [])
  }

  fileprivate init(_ door: DoorOpener) {
    self.init(line: door.isOpen ? "open" : "closed", items: door.log.suffix(3))
  }

  fileprivate init(_ app: AccessoryApp) {
    let name = app.accessoryName ?? "accessory"
    self.init(
      line: app.distance.map { "\(name) at \(Self.metres(Double($0))) m" } ?? "\(name): not ranging",
      items: app.log.suffix(3))
  }

  fileprivate init(_ finder: ItemFinder) {
    let name = finder.item?.displayName ?? "item"
    let line =
      switch finder.screen {
      case .starting: "starting"
      case .needsItem: finder.pickerError.map { "no item: \($0)" } ?? "no item"
      case .connecting: "connecting to \(name)"
      case .connected: "connected to \(name)"
      case .measuring:
        finder.readings.last.flatMap { $0 }.map { "\(name) at \(Self.metres($0)) m" } ?? "measuring \(name)"
      case .bluetoothOff: "Bluetooth is off"
      case .failed(let reason): "failed: \(reason)"
      }
    self.init(line: line)
  }

  private static func metres(_ distance: Double) -> String { NumberFormat.fixed(distance, 2) }
}
