import Dispatch
import Foundation
import NearbyAccessory
import NearbyCommandLine
import NearbyHome

/// `nearby accessory`: the machine is an accessory that phones range with.
struct AccessoryCommand {
  private enum Letter: Sendable {
    case event(Accessory.Event)
    case ended(status: Int32)
    /// The person at the terminal said yes to a phone.
    case admitted(AccessoryPhone)
    case pairingOver
    case interrupted
  }

  /// What near is unless the call says otherwise, metres: an arm and a step, in front of a door.
  private static let usualReach = 1.5

  private let profile: AccessoryProfile
  private let radio: String?
  private let bluetooth: String?
  private let command: String?
  private let within: Double
  private let duration: Duration?
  private let isJSON: Bool
  private let access: AccessoryAccess

  init(_ arguments: CommandArguments) throws(UsageError) {
    var profile = AccessoryProfile(name: try arguments[Options.name] ?? ProcessInfo.processInfo.hostName)
    profile.updateRate = try arguments[Options.rate]
    profile.role = try arguments[Options.role]
    profile.channel = try arguments[Options.channel]
    profile.version = try arguments[Options.version]
    access = try AccessoryAccess(arguments)
    profile.access = access.ofProfile
    profile.acceptsPairing = access.pairingTime.map { _ in true }
    self.profile = profile
    radio = try arguments[Options.radio]
    bluetooth = try arguments[Options.bluetooth]
    command = try arguments[Options.onNear]
    let within = try arguments[Options.within]
    if within != nil, command == nil {
      throw .conflict("\(Options.within) says when \(Options.onNear) runs, and there is none")
    }
    self.within = within ?? Self.usualReach
    duration = try arguments[CommonOptions.seconds]
    isJSON = try arguments[CommonOptions.json]
  }

  func run(in context: CommandContext) throws(CommandError) {
    setDevice()
    let mailbox = Mailbox<Letter>()
    context.interrupt.handle { mailbox.postFirst(.interrupted) }
    let accessory = Accessory(profile)
    accessory.onEvent(queue: DispatchQueue(label: "nearby.accessory")) { mailbox.post(.event($0)) }
    accessory.start()
    openPairing(mailbox, context)
    defer { accessory.stop() }
    let text = AccessoryText(isJSON: isJSON, marksStrangers: command != nil) {
      accessory.identifier(of: $0)?.uuidString
    }
    var trigger = NearTrigger(within: within)
    var doorman = AccessoryDoorman(isAsking: access.rule == .asked)
    let end = duration.map { ContinuousClock.now + $0 }
    while !context.isOutputClosed() {
      context.flush()
      guard let letter = mailbox.next(before: end) else { return }
      switch letter {
      case .interrupted: return
      case .ended(let status):
        if status != 0 { context.errors.line("nearby: \(Options.onNear) ended with \(status)") }
      case .admitted(let phone):
        accessory.authorize(phone)
        context.errors.line("nearby: \(phone) may, as long as it is here")
      case .pairingOver:
        accessory.setAcceptsPairing(false)
        context.errors.line("nearby: no new phones pair any more")
      case .event(let event):
        if let line = text.line(event) { context.output.line(line) }
        try check(event, context)
        if case .measured(let reading) = event, !access.covers(reading) {
          doorman.meet(reading, within: within) { mailbox.post(.admitted($0)) }
          continue
        }
        doorman.follow(event)
        if let reading = nearer(event, &trigger) { perform(reading, accessory, mailbox, context) }
      }
    }
  }

  private func openPairing(_ mailbox: Mailbox<Letter>, _ context: CommandContext) {
    guard let time = access.pairingTime else { return }
    context.errors.line(
      "nearby: phones may pair for \(Int(time / .seconds(1))) s; any in range can, so watch who does")
    DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1)) { mailbox.post(.pairingOver) }
  }

  /// The device is the process's own: what is asked here goes before the environment.
  private func setDevice() {
    setenv(ProcessSettings.usageKey, "The accessory ranges with phones that ask for it.", 0)
    if let radio {
      setenv("NEARBY_RADIO", radio, 1)
      unsetenv("NEARBY_WORLD")
    }
    if let bluetooth { setenv("NEARBY_BLUETOOTH", bluetooth, 1) }
  }

  private func check(_ event: Accessory.Event, _ context: CommandContext) throws(CommandError) {
    switch event {
    case .unavailable:
      throw .unavailable(
        "no chip that can range with phones: say which with \(Options.radio), or NEARBY_RADIO")
    case .bluetoothUnavailable(let reason):
      context.errors.line("nearby: Bluetooth can't be used: \(reason)")
      if reason == "unsupported" { throw .unavailable("no Bluetooth for phones to come over") }
    case .ready, .connected, .disconnected, .started, .measured, .stopped, .refused: break
    }
  }

  private func nearer(_ event: Accessory.Event, _ trigger: inout NearTrigger) -> AccessoryReading? {
    switch event {
    case .measured(let reading): trigger.take(reading.phone, distance: reading.distance) ? reading : nil
    case .stopped(let phone, _), .disconnected(let phone):
      forget(phone, &trigger)
    case .ready, .unavailable, .bluetoothUnavailable, .connected, .started, .refused: nil
    }
  }

  private func forget(_ phone: AccessoryPhone, _ trigger: inout NearTrigger) -> AccessoryReading? {
    trigger.forget(phone)
    return nil
  }

  /// Runs what is to be done when a phone is near; the accessory does not wait for it.
  private func perform(
    _ reading: AccessoryReading, _ accessory: Accessory, _ mailbox: Mailbox<Letter>, _ context: CommandContext
  ) {
    guard let command else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    var environment = context.environment
    environment["NEARBY_PHONE"] = "\(reading.phone)"
    environment["NEARBY_PHONE_ID"] = accessory.identifier(of: reading.phone)?.uuidString ?? ""
    environment["NEARBY_DISTANCE"] = reading.distance.map { AccessoryText.metres($0) } ?? ""
    process.environment = environment
    process.terminationHandler = { mailbox.post(.ended(status: $0.terminationStatus)) }
    do {
      try process.run()
    } catch {
      context.errors.line("nearby: \(Options.onNear) can't be run: \(error.localizedDescription)")
    }
  }
}
