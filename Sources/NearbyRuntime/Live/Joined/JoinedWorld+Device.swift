import WorldProtocol

extension JoinedWorld {
  /// The device that a process is in this world, running.
  func device(named name: String, _ settings: ProcessSettings, peers: LivePeers) -> NearbyDevice {
    var abilities = DeviceSettings()
    if welcome.hasCamera { abilities.capabilities.insert(.cameraAssistance) }
    var machine = DeviceMachine(
      settings: abilities, hasRadio: true, permission: Permission(welcome.permission),
      usageDescription: settings.usageDescription)
    machine.setCamera(
      isAvailable: welcome.hasCamera, permission: Permission(welcome.cameraPermission),
      usageDescription: settings.cameraUsageDescription)
    if !welcome.isInForeground { machine.handle(.enterBackground, at: now()) }
    let driver = LiveDriver(
      machine: machine, link: self, permissions: User(world: self, question: .nearby), poses: self,
      cameraPermissions: User(world: self, question: .camera), peers: peers, clock: self, watcher: self)
    driver.begin()
    open { [weak driver] happening in
      switch happening {
      case .command(let command): driver?.post(command, device: 0)
      case .interrupted: driver?.interruptLink()
      case .restored: driver?.restoreLink()
      case .rateChanged: driver?.clockChanged()
      }
    }
    return NearbyDevice(name: name, driver: driver, index: 0)
  }
}
