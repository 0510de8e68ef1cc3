import WorldProtocol

extension JoinedWorld {
  /// Joins a world as one device of it, blocking; the device runs when it returns.
  ///
  /// - Throws: What a person should know: no connection, or why the world refused.
  package static func device(
    named name: String, host: String, port: UInt16, token: String, usageDescription: String?,
    cameraUsageDescription: String?, backgroundModes: Set<String> = [],
    settings: DeviceSettings = DeviceSettings()
  ) throws -> NearbyDevice {
    let hello = DeviceHello(
      token: token, device: name, program: name, usageDescription: usageDescription,
      cameraUsageDescription: cameraUsageDescription)
    let world = try JoinedWorld(WorldDial(host: host, port: port, hello: hello), notice: Notice.write)
    return world.device(
      named: name, usageDescription: usageDescription, cameraUsageDescription: cameraUsageDescription,
      backgroundModes: backgroundModes, peers: LivePeers(), settings: settings)
  }

  /// The device that a process is in this world, running.
  func device(
    named name: String, usageDescription: String?, cameraUsageDescription: String?,
    backgroundModes: Set<String> = [], peers: LivePeers, settings: DeviceSettings = DeviceSettings(),
    location: @escaping @Sendable () -> LocationSetup = { .inMemory }
  ) -> NearbyDevice {
    var abilities = settings
    if welcome.hasCamera { abilities.capabilities.insert(.cameraAssistance) }
    var machine = DeviceMachine(
      settings: abilities, hasRadio: true, permission: Permission(welcome.permission),
      usageDescription: usageDescription)
    machine.setCamera(
      isAvailable: welcome.hasCamera, permission: Permission(welcome.cameraPermission),
      usageDescription: cameraUsageDescription)
    machine.backgroundModes = backgroundModes
    if !welcome.isInForeground { machine.handle(.enterBackground, at: now()) }
    let bluetooth = makeBluetooth()
    let driver = LiveDriver(
      machine: machine, link: self, permissions: User(world: self, question: .nearby), poses: self,
      cameraPermissions: User(world: self, question: .camera), peers: peers, bluetooth: { bluetooth },
      location: location, clock: self, watcher: self)
    driver.begin()
    open { [weak driver] happening in
      switch happening {
      case .command(let command): driver?.post(command, device: 0)
      case .interrupted:
        driver?.interruptLink()
        bluetooth.interrupted()
      case .restored:
        driver?.restoreLink()
        bluetooth.restored()
      case .rateChanged: driver?.clockChanged()
      }
    }
    return NearbyDevice(name: name, driver: driver, index: 0)
  }
}
