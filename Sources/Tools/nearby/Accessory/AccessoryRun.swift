import Foundation
import NearbyAccessory
import NearbyCommandLine

/// A running `nearby accessory`: prints the accessory's events and runs the commands for phones.
struct AccessoryRun {
  enum Letter: Sendable {
    /// An event, and the device's time when it came.
    case event(Accessory.Event, Duration)
    /// A command ended.
    case ended(option: String, status: Int32)
    /// The person at the terminal admitted a phone.
    case admitted(AccessoryPhone)
    case pairingOver
    case interrupted
  }

  private let accessory: Accessory
  private let mailbox: Mailbox<Letter>
  private let context: CommandContext
  private let text: AccessoryText
  private let commands: PhoneCommands
  private let access: AccessoryAccess
  private let within: Double
  /// For the output: every phone.
  private var shown: NearTrigger
  /// For the commands: only phones that they may run for.
  private var acting: NearTrigger
  private var doorman: AccessoryDoorman
  private var time = Duration.zero

  init(
    accessory: Accessory, mailbox: Mailbox<Letter>, context: CommandContext, text: AccessoryText,
    commands: PhoneCommands, access: AccessoryAccess, within: Double
  ) {
    self.accessory = accessory
    self.mailbox = mailbox
    self.context = context
    self.text = text
    self.commands = commands
    self.access = access
    self.within = within
    shown = NearTrigger(within: within)
    acting = NearTrigger(within: within)
    doorman = AccessoryDoorman(isAsking: access.rule == .asked)
  }

  /// Runs until the interrupt or the given time.
  mutating func run(until end: ContinuousClock.Instant?) throws(CommandError) {
    while !context.isOutputClosed() {
      context.flush()
      guard let letter = mailbox.next(before: end) else { return }
      switch letter {
      case .interrupted: return
      case .ended(let option, let status):
        if status != 0 {
          context.errors.line("nearby: the command of \(option) exited with status \(status)")
        }
      case .admitted(let phone):
        accessory.authorize(phone)
        context.errors.line("nearby: \(phone) is admitted until it disconnects")
      case .pairingOver:
        accessory.setAcceptsPairing(false)
        context.errors.line("nearby: new phones can no longer pair")
      case .event(let event, let now): try received(event, at: now)
      }
    }
  }

  private mutating func received(_ event: Accessory.Event, at now: Duration) throws(CommandError) {
    // A reading is a little older than its event; the output's times never decrease.
    if case .measured(let reading) = event { time = max(time, reading.time) } else { time = max(time, now) }
    if let line = text.line(event, at: time) { context.output.line(line) }
    try check(event)
    switch event {
    case .measured(let reading): measured(reading)
    case .stopped(let phone, _), .disconnected(let phone): gone(phone, event)
    case .ready, .unavailable, .bluetoothUnavailable, .connected, .started, .refused: break
    }
  }

  private mutating func measured(_ reading: AccessoryReading) {
    if let change = shown.measured(reading.phone, distance: reading.distance) {
      context.output.line(text.line(change, reading, at: time))
    }
    guard access.covers(reading) else {
      let mailbox = mailbox
      return doorman.ask(reading, within: within) { mailbox.post(.admitted($0)) }
    }
    if let change = acting.measured(reading.phone, distance: reading.distance) {
      perform(change, reading.phone, distance: reading.distance)
    }
  }

  private mutating func gone(_ phone: AccessoryPhone, _ event: Accessory.Event) {
    if shown.forget(phone) { context.output.line(text.goneLine(phone, at: time)) }
    if acting.forget(phone) { perform(.gone, phone, distance: nil) }
    doorman.withdraw(event)
  }

  private func perform(_ change: NearTrigger.Change, _ phone: AccessoryPhone, distance: Double?) {
    // The command may write to the same terminal or pipe.
    context.flush()
    let mailbox = mailbox
    let identifier = accessory.identifier(of: phone)?.uuidString
    do throws(CommandError) {
      try commands.run(change, phone, identifier: identifier, distance: distance, context.environment) {
        mailbox.post(.ended(option: $0, status: $1))
      }
    } catch {
      context.errors.line("nearby: \(error.message)")
    }
  }

  private func check(_ event: Accessory.Event) throws(CommandError) {
    switch event {
    case .unavailable:
      let radio = AccessoryCommand.Options.radio
      throw RadioTrouble.error(
        advice: "set \(radio) or NEARBY_RADIO, or join a simulated world: NEARBY_WORLD")
    case .bluetoothUnavailable("unsupported"), .bluetoothUnavailable("unauthorized"):
      throw BluetoothTrouble.error(simulating: false)
    case .bluetoothUnavailable(let reason):
      let words = reason == "poweredOff" ? "is off; turn it on" : "can't be used: \(reason); waiting"
      context.errors.line("nearby: Bluetooth \(words)")
    case .ready, .connected, .disconnected, .started, .measured, .stopped, .refused: break
    }
  }
}
