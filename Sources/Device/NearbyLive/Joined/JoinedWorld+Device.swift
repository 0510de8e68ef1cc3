import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyWorldProtocol

extension DeviceHello {
  /// Sets this process's id and a random number for this start of it.
  package mutating func identify() {
    process = UInt32(clamping: getpid())
    var generator = SystemRandomNumberGenerator()
    instance = generator.next() | 1
  }
}

extension JoinedWorld {
  /// Joins a world as one of its devices. Blocks; the device runs when it returns.
  ///
  /// - Parameters:
  ///   - backgroundModes: The app's `UIBackgroundModes`; `nil` for all.
  ///   - ended: Called once with the reason, on the connection's queue, if the program loses its device for good.
  /// - Throws: Why there is no connection, or why the world refused.
  package static func join(
    named name: String, host: String, port: UInt16, token: String, usageDescription: String?,
    cameraUsageDescription: String?, settings: DeviceSettings = DeviceSettings(),
    backgroundModes: Set<String>? = nil, accessorySetup: AccessorySetupSettings? = nil,
    ended: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> (world: JoinedWorld, device: NearbyDevice) {
    var hello = DeviceHello(
      token: token, device: name, program: name, usageDescription: usageDescription,
      cameraUsageDescription: cameraUsageDescription)
    hello.identify()
    let world = try JoinedWorld(WorldDial(host: host, port: port, hello: hello), notice: Notice.write)
    let device = world.device(
      named: name, usageDescription: usageDescription, cameraUsageDescription: cameraUsageDescription,
      peers: LivePeers(), settings: settings, backgroundModes: backgroundModes,
      accessorySetup: accessorySetup, ended: ended)
    return (world, device)
  }

  /// Makes and starts the process's device in this world.
  package func device(
    named name: String, usageDescription: String?, cameraUsageDescription: String?, peers: LivePeers,
    settings: DeviceSettings = DeviceSettings(), backgroundModes: Set<String>? = nil,
    location: @escaping @Sendable () -> LocationSetup = { .inMemory },
    accessorySetup: AccessorySetupSettings? = nil,
    ended: @escaping @Sendable (String) -> Void = { _ in }
  ) -> NearbyDevice {
    let machine = makeMachine(
      usageDescription: usageDescription, cameraUsageDescription: cameraUsageDescription, settings: settings,
      backgroundModes: backgroundModes)
    if let backgroundModes { declare(AppBackgroundModes(named: backgroundModes)) }
    let bluetooth = makeBluetooth()
    let places = makeLocation()
    let person = makePerson()
    let driver = LiveDriver(
      machine: machine, link: self, permissions: User(world: self, question: .nearby), poses: self,
      cameraPermissions: User(world: self, question: .camera), peers: peers,
      bluetooth: { turns in
        bluetooth.attach(turns)
        return bluetooth
      },
      location: { places.setup(location()) }, accessorySetup: accessorySetup, setupPerson: person,
      clock: self, watcher: self)
    driver.begin()
    open { [weak driver] event in
      switch event {
      case .command(let command): driver?.post(command)
      case .location(let question, let answer):
        if places.heard(answer, to: question) { driver?.changeLocation(places.change) }
      case .interrupted:
        driver?.interruptLink()
        bluetooth.interrupted()
      case .restored:
        driver?.restoreLink()
        bluetooth.restored()
        places.askAgain()
        person.askAgain()
      case .rateChanged: driver?.clockChanged()
      case .ended(let reason): ended(reason)
      }
    }
    return NearbyDevice(name: name, shell: driver)
  }

  /// The device's machine, in the state that the world's welcome describes.
  private func makeMachine(
    usageDescription: String?, cameraUsageDescription: String?, settings: DeviceSettings,
    backgroundModes: Set<String>?
  ) -> DeviceMachine {
    var abilities = settings
    abilities.capabilities.formUnion([.downlinkTDoA, .channelSounding])
    if welcome.hasCamera { abilities.capabilities.insert(.cameraAssistance) }
    var machine = DeviceMachine(
      settings: abilities, hasRadio: true, permission: Permission(welcome.permission),
      usageDescription: usageDescription)
    machine.setCamera(
      isAvailable: welcome.hasCamera, permission: Permission(welcome.cameraPermission),
      usageDescription: cameraUsageDescription)
    machine.backgroundModes = backgroundModes ?? DeviceMachine.backgroundModesForAccessories
    if !welcome.isInForeground { machine.handle(.enterBackground, at: now()) }
    return machine
  }
}
