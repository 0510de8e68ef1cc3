import Foundation
import NearbyBluetooth
import NearbyChipTools
import NearbyCommandLine
import NearbyDevice
import NearbyFiles
import NearbyHome
import NearbyMQTT
import NearbyNATS
import NearbyReadings
import NearbySite
import NearbyUCI

/// `nearby gateway`.
struct GatewayCommand {
  private enum Options {
    static let site = CommandOption<String>.required(
      "site", "NAME", "Site to which the readings belong", as: .topicPart)
    static let id = CommandOption<String?>.optional(
      "id", "ID", "This gateway's id at the site (default: NEARBY_DEVICE, or the host's name)",
      as: .topicPart)
    static let bluetooth = CommandOption<Bool>.flag(
      "bluetooth", "Report Bluetooth advertisements (the default without --radio)")
    static let nats = CommandOption<String?>.optional(
      "nats", "URL", "NATS server in place of an MQTT broker: nats://HOST[:PORT], or tls:// with TLS",
      as: OptionReader(expected: SiteSharing.expectedURL) { SiteSharing.isURL($0) ? $0 : nil })
    static let credentials = CommandOption<String?>.optional(
      "credentials", "FILE", "Credentials of a NATS user", as: .file)
    static let store = CommandOption<String?>.optional(
      "store", "FOLDER", "Where readings wait (default: in the user's state folder)", as: .folder)
    static let storeLimit = CommandOption<Int>.value(
      "store-limit", "MIB", "Size of the store; a full one drops the oldest", as: .integer(1...65_536),
      default: "64")
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Stop after this long (default: run until interrupted)", as: .duration)
  }

  static let spec = CommandSpec(
    name: "gateway",
    summary: "Send what this machine hears to a site: Bluetooth advertisements and UWB ranges",
    discussion: """
      Publishes readings on an MQTT broker, under nearby/SITE/ID, or in a NATS server's stream, for a site of
      several processes. Without a connection they wait on disk.
      Beacons are reported from this machine's Bluetooth adapter, or, with NEARBY_WORLD, as a device of a shared
      world hears them. With --radio, a UWB chip ranges with the given peers, whose ids are their addresses, such
      as 0x0002. Docs/gateway.md describes topics and payloads.
      """,
    options: [Options.site, Options.id] + BrokerOptions.all + [
      Options.nats, Options.credentials,
      Options.bluetooth, RadioOptions.radio, RadioOptions.timeout,
    ] + RadioSessionOptions.all + [
      Options.store, Options.storeLimit, Options.seconds,
    ],
    examples: [
      "nearby gateway --site museum --mqtt mqtt://broker",
      "nearby gateway --site museum --id a1 --mqtt mqtts://broker --user a1 --password-file secret",
      "nearby gateway --site museum --mqtt mqtt://broker --radio serial:/dev/ttyACM0 --peer 0x0002",
      "nearby gateway --site museum --nats nats://one:4222,nats://two:4222",
    ]
  ) { try GatewayCommand($0).run(in: $1) }

  /// Real time between two messages: readings of this time travel together.
  private static let step = Duration.milliseconds(50)

  private let arguments: CommandArguments
  private let site: String
  private let id: String?
  /// `nil` with a NATS server.
  private let broker: SiteBroker?
  private let server: NATSConnection.Options?
  private let usesBluetooth: Bool
  private let session: UCISessionRequest?
  private let storeFolder: String?
  private let storeLimit: Int
  private let length: Duration?

  init(_ arguments: CommandArguments) throws(UsageError) {
    self.arguments = arguments
    site = try arguments[Options.site]
    id = try arguments[Options.id]
    let url = try arguments[Options.nats]
    broker = try BrokerOptions.broker(arguments, isNeeded: url == nil)
    if url != nil, broker != nil {
      throw .conflict("\(Options.nats) and \(BrokerOptions.mqtt) can't be combined")
    }
    server = try url.map { url throws(UsageError) in
      NATSConnection.Options(
        url: url, name: "nearby gateway", credentials: try arguments[Options.credentials],
        certificates: try arguments[BrokerOptions.authorities])
    }
    let hasRadio = try arguments[RadioOptions.radio] != nil
    let wantsBluetooth = try arguments[Options.bluetooth]
    session = hasRadio ? try RadioSessionOptions(arguments).request : nil
    usesBluetooth = wantsBluetooth || !hasRadio
    storeFolder = try arguments[Options.store]
    storeLimit = try arguments[Options.storeLimit]
    length = try arguments[Options.seconds]
  }

  func run(in context: CommandContext) throws {
    let device = try name(context)
    let inbox = GatewayInbox()
    let link = try route(device, context)
    let queue = GatewayQueue(
      site: site, device: device, firstNumber: UInt64(max(0, Date().timeIntervalSince1970) * 1e6),
      store: try store(device, context), mostInFlight: link.mostInFlight)
    let listener = usesBluetooth ? GatewayListener(on: NearbyDevice.bound, inbox) : nil
    let user = listener?.start()
    defer { if let user { NearbyDevice.bound.bluetooth.release(user) } }
    let ranging = try session.map { try GatewayRadio(arguments, $0, inbox, context) }
    defer { ranging?.end() }
    link.begin()
    defer { finish(queue, link, context) }
    try loop(queue, link, inbox, trouble: { ranging?.failure ?? listener?.trouble }, context)
  }

  /// Moves readings until the end, an interrupt, or a lost radio.
  private func loop(
    _ queue: GatewayQueue, _ link: any GatewayRoute, _ inbox: GatewayInbox, trouble: () -> CommandError?,
    _ context: CommandContext
  ) throws(CommandError) {
    let pause = Mailbox<Void>()
    let end = length.map { ContinuousClock.now + $0 }
    while !context.interrupt.isRaised, end.map({ ContinuousClock.now < $0 }) ?? true {
      link.move(inbox, queue)
      if let trouble = trouble() { throw trouble }
      _ = pause.nextInApp(until: .now + Self.step)
    }
  }

  /// Sends what is left, for at most two seconds, and stores the rest.
  private func finish(_ queue: GatewayQueue, _ link: any GatewayRoute, _ context: CommandContext) {
    let end = ContinuousClock.now + .seconds(2)
    let pause = Mailbox<Void>()
    while link.isConnected, queue.waiting > 0, ContinuousClock.now < end {
      link.move(nil, queue)
      _ = pause.next(until: .now + .milliseconds(10))
    }
    link.end()
    queue.disconnected()
    if let failure = queue.failure { context.errors.line("nearby: \(FileFailure.reason(failure))") }
    context.errors.line(
      "nearby: \(queue.delivered) readings delivered, \(queue.waiting) stored, \(queue.dropped) lost")
  }

  private func route(_ device: String, _ context: CommandContext) throws(CommandError) -> any GatewayRoute {
    if let broker { return try GatewayLink(broker, site: site, device: device, errors: context.errors) }
    guard let server else { throw .unavailable("no way to the site") }
    for (option, part) in [(Options.site.description, site), (Options.id.description, device)]
    where !NATSTopics.isPart(part) {
      throw CommandError(
        code: .usage, message: "\(option): expected no space, '.', '*' and '>' with NATS, found '\(part)'")
    }
    return try GatewayStreamLink(server, site: site, device: device, errors: context.errors)
  }

  private func name(_ context: CommandContext) throws(CommandError) -> String {
    if let id { return id }
    let name = context.environment["NEARBY_DEVICE"] ?? ProcessInfo.processInfo.hostName
    guard ReadingTopic.isPart(name) else {
      throw CommandError(
        code: .usage, message: "\(Options.id): expected, since '\(name)' can't be part of a topic")
    }
    return name
  }

  private func store(_ device: String, _ context: CommandContext) throws(CommandError) -> MessageStore {
    let usual = XDGFolder.state.url(
      context.environment, home: FileManager.default.homeDirectoryForCurrentUser
    )
    .appendingPathComponent("swift-nearby/gateway/\(site)-\(device)").path
    do throws(FileFailure) {
      let store = try MessageStore(folder: storeFolder ?? usual, limit: storeLimit << 20)
      if store.readings > 0 {
        context.errors.line("nearby: \(store.readings) readings wait since the last time")
      }
      return store
    } catch {
      guard error.number != EWOULDBLOCK else {
        throw .unavailable(
          "\(storeFolder ?? usual): another gateway uses this store; choose another \(Options.store)")
      }
      throw .inputOutput(FileFailure.reason(error))
    }
  }
}

extension OptionReader where Value == String {
  /// One part of a topic.
  static var topicPart: Self {
    Self(expected: "1 to 100 octets without '/', '+' and '#'") { ReadingTopic.isPart($0) ? $0 : nil }
  }
}
