import Dispatch
import Foundation
import NearbyAccessory
import NearbyCommandLine
import NearbyDevice
import NearbyHome

/// `nearby accessory`: this machine is an accessory that phones range with.
struct AccessoryCommand {
  private let profile: AccessoryProfile
  private let givenName: String?
  private let radio: String?
  private let bluetooth: String?
  private let commands: PhoneCommands
  private let within: Double
  private let duration: Duration?
  private let isJSON: Bool
  private let access: AccessoryAccess

  init(_ arguments: CommandArguments) throws(UsageError) {
    givenName = try arguments[Options.name]
    var profile = AccessoryProfile()
    profile.technologies = try arguments[Options.ranging]
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
    commands = try PhoneCommands(arguments)
    within = try arguments[Options.within]
    duration = try arguments[CommonOptions.seconds]
    isJSON = try arguments[CommonOptions.json]
  }

  func run(in context: CommandContext) throws(CommandError) {
    setDevice()
    let mailbox = Mailbox<AccessoryRun.Letter>()
    context.interrupt.handle { mailbox.postFirst(.interrupted) }
    var profile = profile
    profile.name = givenName ?? HostName.own(context.environment)
    let accessory = Accessory(profile)
    let device = NearbyDevice.bound
    accessory.onEvent(queue: DispatchQueue(label: "nearby.accessory")) {
      mailbox.post(.event($0, device.app.now))
    }
    accessory.start()
    defer { accessory.stop() }
    openPairing(mailbox, context)
    var text = AccessoryText(isJSON: isJSON, marksStrangers: !commands.isEmpty)
    text.identifier = { accessory.identifier(of: $0)?.uuidString }
    var run = AccessoryRun(
      accessory: accessory, mailbox: mailbox, context: context, text: text, commands: commands,
      access: access, within: within)
    try run.run(until: duration.map { .now + $0 })
  }

  private func openPairing(_ mailbox: Mailbox<AccessoryRun.Letter>, _ context: CommandContext) {
    guard let time = access.pairingTime else { return }
    context.errors.line(
      "nearby: for \(Int(time / .seconds(1))) s any phone in range can pair; check which phones connect")
    DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1)) { mailbox.post(.pairingOver) }
  }

  /// Sets up this process's own device. The options take precedence over the environment.
  private func setDevice() {
    setenv(ProcessSettings.usageKey, "The accessory ranges with phones that ask for it.", 0)
    if let radio {
      setenv("NEARBY_RADIO", radio, 1)
      unsetenv("NEARBY_WORLD")
    }
    if let bluetooth { setenv("NEARBY_BLUETOOTH", bluetooth, 1) }
  }
}
