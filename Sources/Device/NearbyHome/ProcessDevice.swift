import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyLive
import NearbyRadioLinks
import NearbyTextForms
import NearbyWorldProtocol

/// The device of this process, used wherever no other device is current.
///
/// `ProcessSettings` defines its parts. Without a radio the device cannot range, like a phone without UWB.
package enum ProcessDevice {
  static var shared: NearbyDevice { process.device }

  /// Shows the app's display to observers of the world that this process joined; no effect without a world.
  package static func show(_ display: AppDisplay) { process.world?.shown(display) }

  /// The device, and the world it joined, if any.
  private typealias Process = (device: NearbyDevice, world: JoinedWorld?)

  private static let process: Process = make()

  private static let peers: LivePeers = {
    let settings = PeerSettings(
      environment: ProcessInfo.processInfo.environment, home: FileManager.default.homeDirectoryForCurrentUser)
    settings.notices.forEach(Notice.write)
    // A process that exits normally leaves its sessions and withdraws its DNS-SD records.
    atexit { ProcessDevice.peers.end() }
    return LivePeers(settings)
  }()

  private static let bluetooth: @Sendable (LiveTurns) -> any BluetoothSide = { turns in
    let settings = BluetoothSettings(
      environment: ProcessInfo.processInfo.environment, home: FileManager.default.homeDirectoryForCurrentUser)
    settings.notices.forEach(Notice.write)
    return LiveBluetooth(settings, turns: turns)
  }

  private static let location: @Sendable () -> LocationSetup = {
    let program = ProcessInfo.processInfo.processName
    let besideProgram = Bundle.main.executableURL?.deletingLastPathComponent()
      .appendingPathComponent("Info.plist")
    let settings = LocationSettings(
      environment: ProcessInfo.processInfo.environment, program: program,
      bundled: { Bundle.main.object(forInfoDictionaryKey: $0) },
      besideProgram: besideProgram.flatMap { try? Data(contentsOf: $0) },
      home: FileManager.default.homeDirectoryForCurrentUser)
    settings.notices.forEach(Notice.write)
    let files = LocationFiles(settings, program: program) { program, question in
      let what =
        switch question {
        case .whenInUse: "use your location while it runs"
        case .always: "use your location always"
        case .fullAccuracy(let purpose): "use your precise location (\(purpose))"
        }
      switch ask(program, for: what, variable: "NEARBY_LOCATION_PERMISSION") {
      case .allowed: return .allow
      case .allowedOnce: return .allowOnce
      case .denied, .notDetermined: return .deny
      }
    }
    return files.setup(date: Date().timeIntervalSince1970)
  }

  private static let accessorySetup: AccessorySetupSettings = {
    let besideProgram = Bundle.main.executableURL?.deletingLastPathComponent()
      .appendingPathComponent("Info.plist")
    let settings = AccessorySetupSettings(
      environment: ProcessInfo.processInfo.environment, program: ProcessInfo.processInfo.processName,
      bundled: { Bundle.main.object(forInfoDictionaryKey: $0) },
      besideProgram: besideProgram.flatMap { try? Data(contentsOf: $0) },
      home: FileManager.default.homeDirectoryForCurrentUser)
    settings.notices.forEach(Notice.write)
    return settings
  }()

  private static func make() -> Process {
    let program = ProcessInfo.processInfo.processName
    let besideProgram = Bundle.main.executableURL?.deletingLastPathComponent()
      .appendingPathComponent("Info.plist")
    let settings = ProcessSettings(
      environment: ProcessInfo.processInfo.environment,
      bundled: { Bundle.main.object(forInfoDictionaryKey: $0) as? String },
      besideProgram: besideProgram.flatMap { try? Data(contentsOf: $0) },
      home: FileManager.default.homeDirectoryForCurrentUser)
    settings.notices.forEach(Notice.write)
    let hasBadAddress = settings.notices.contains {
      $0.hasPrefix("NEARBY_RADIO=") || $0.hasPrefix("NEARBY_WORLD=")
    }
    if hasBadAddress { DeviceTrouble.set("a bad address", for: .radio) }
    if let world = settings.world { return join(world, settings, program) }
    let store = PermissionStore(
      file: settings.permissionFile, program: program,
      asker: { settings.answer ?? ask($0, for: "find devices nearby", variable: "NEARBY_PERMISSION") })
    let cameraStore = PermissionStore(
      file: settings.cameraPermissionFile, program: program,
      asker: {
        settings.cameraAnswer ?? ask($0, for: "access the camera", variable: "NEARBY_CAMERA_PERMISSION")
      })
    let link = settings.radio.flatMap(open)
    var abilities = DeviceSettings()
    abilities.capabilities.insert(.downlinkTDoA)
    if settings.camera != nil { abilities.capabilities.insert(.cameraAssistance) }
    var machine = DeviceMachine(
      settings: abilities, hasRadio: link != nil, permission: store.answer,
      usageDescription: settings.usageDescription)
    machine.setCamera(
      isAvailable: settings.camera != nil, permission: cameraStore.answer,
      usageDescription: settings.cameraUsageDescription)
    machine.backgroundModes = settings.backgroundModes
    let driver = LiveDriver(
      machine: machine, link: link, permissions: store,
      poses: settings.camera.map { LivePoses($0) }, cameraPermissions: cameraStore, peers: peers,
      bluetooth: bluetooth, location: location, accessorySetup: accessorySetup)
    driver.begin()
    return (NearbyDevice(name: program, shell: driver), nil)
  }

  /// The exit status if this process cannot be its device: `EX_UNAVAILABLE` of BSD's `sysexits.h`.
  private static let unavailable: Int32 = 69

  /// Joins a shared world as one of its devices. If that fails, returns a device without a radio.
  ///
  /// The process exits if another program already is that device, because joining again would only
  /// disconnect it, or if the device is later removed from the world.
  private static func join(
    _ address: WorldAddress, _ settings: ProcessSettings, _ program: String
  ) -> Process {
    let name = address.device ?? program
    var hello = DeviceHello(
      token: address.token, device: name, program: program, usageDescription: settings.usageDescription,
      cameraUsageDescription: settings.cameraUsageDescription)
    hello.identify()
    let dial = WorldDial(host: address.host, port: address.port, hello: hello)
    do throws(WorldDial.Failure) {
      let joined = try JoinedWorld(dial, notice: Notice.write)
      let device = joined.device(
        named: name, usageDescription: settings.usageDescription,
        cameraUsageDescription: settings.cameraUsageDescription, peers: peers,
        backgroundModes: settings.backgroundModes, location: location, accessorySetup: accessorySetup,
        ended: { _ in exit(unavailable) })
      return (device, joined)
    } catch {
      if case .ended(let end) = error {
        Notice.write("NEARBY_WORLD=\(address.host):\(address.port): \(end.reason)")
        exit(unavailable)
      }
      reportRadio("NEARBY_WORLD=\(address.host):\(address.port): \(error)")
      let store = PermissionStore(file: settings.permissionFile, program: program, asker: { _ in .denied })
      let machine = DeviceMachine(hasRadio: false, usageDescription: settings.usageDescription)
      let driver = LiveDriver(machine: machine, link: nil, permissions: store, peers: peers)
      driver.begin()
      return (NearbyDevice(name: name, shell: driver), nil)
    }
  }

  /// Reports to the user why the radio or the world can't be used.
  private static func reportRadio(_ text: String) {
    DeviceTrouble.set(text, for: .radio)
    Notice.write(text)
  }

  private static func open(_ address: RadioAddress) -> (any UCILink)? {
    do throws(LinkError) {
      return try UCILinks.open(address, timeout: .seconds(5))
    } catch {
      reportRadio("NEARBY_RADIO=\(address): \(error)")
      return nil
    }
  }

  /// Asks on the terminal; without one the answer is no.
  private static func ask(_ program: String, for what: String, variable: String) -> Permission {
    guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
      Notice.write("nobody to ask: set \(variable) to allowed, allowedOnce or denied")
      return .denied
    }
    let question = "“\(PrintableText.name(program))” would like to \(what). [a]llow, allow [o]nce, [d]eny? "
    TerminalQuestions.write(question, to: terminal)
    let reply = TerminalQuestions.read(terminal)?.first.map { Character(UnicodeScalar($0)) }
    switch reply {
    case "a", "A": return .allowed
    case "o", "O": return .allowedOnce
    default: return .denied
    }
  }
}
