import NearbyChipTools
import NearbyRadioLinks
import NearbyUCI

/// A chip on a link, brought up, whose events one thread waits for.
struct RadioConnection {
  /// What may end a wait.
  enum Letter: Sendable {
    case radio(RadioShell.Event)
    case interrupted
  }

  /// RESET, information and capabilities: four answers of 2 s at most, with their repeats.
  private static let bringUpTime = Duration.seconds(20)

  let address: RadioAddress
  let shell: RadioShell
  private let mailbox: Mailbox<Letter>

  /// Connects and brings the chip up.
  init(_ arguments: Arguments, in context: CommandContext) throws {
    address = try Self.address(arguments, context)
    let timeout = try arguments.requiredValue("timeout", as: .duration)
    let mailbox = Mailbox<Letter>()
    let link: any UCILink
    do throws(LinkError) {
      link = try UCILinks.open(address, timeout: timeout)
    } catch {
      throw CommandError.unavailable("\(address): \(error)")
    }
    shell = RadioShell(link: link) { mailbox.post(.radio($0)) }
    self.mailbox = mailbox
    context.interrupt.handle { mailbox.postFirst(.interrupted) }
    shell.begin()
  }

  private static func address(_ arguments: Arguments, _ context: CommandContext) throws(UsageError)
    -> RadioAddress
  {
    let option = arguments.text("radio")
    guard let text = option ?? context.environment["NEARBY_RADIO"], !text.isEmpty else {
      throw .missingOption("radio", placeholder: "tcp:HOST:PORT or serial:DEVICE[@BAUD]")
    }
    do throws(LinkError) {
      return try RadioAddress(text)
    } catch {
      guard case .badAddress(let found, let expected) = error else {
        throw .invalidValue(option: "--radio", found: text, expected: "tcp:HOST:PORT or serial:DEVICE[@BAUD]")
      }
      let name = option == nil ? "NEARBY_RADIO" : "--radio"
      throw .invalidValue(option: name, found: found, expected: expected)
    }
  }

  /// Waits for the next event; `nil` at `end`, even while a chip sends faster than its events are handled.
  ///
  /// The event counts as consumed from here on.
  func next(before end: ContinuousClock.Instant?) -> Letter? {
    let letter = mailbox.next(before: end)
    if case .radio(.host) = letter { shell.consumed() }
    return letter
  }

  /// Waits until the chip said what it is.
  func awaitReady() throws(CommandError) -> (UCIDeviceInfo, UCICapabilities) {
    let end = ContinuousClock.now + Self.bringUpTime
    while let letter = next(before: end) {
      switch letter {
      case .interrupted: throw .interrupted
      case .radio(.closed(let error)): throw lost(error)
      case .radio(.host(.bringUpFailed(.lost), _)): continue
      case .radio(.host(.bringUpFailed(let failure), _)):
        throw .unavailable("\(address): the chip does not come up: \(failure.sentence)")
      case .radio(.host(.ready(let information, _), _)):
        if let capabilities = shell.withHost({ $0.capabilities }) { return (information, capabilities) }
      case .radio: continue
      }
    }
    throw .unavailable("\(address): the chip does not come up within \(Self.bringUpTime)")
  }

  func lost(_ error: LinkError?) -> CommandError {
    .unavailable("\(address): \(error ?? .closedByPeer)")
  }
}

extension UCIHostFailure {
  /// What happened, by the specification's words.
  var sentence: String {
    switch self {
    case .timedOut(let group, let opcode): "no answer to \(UCIWords.command(group, opcode))"
    case .lost: "the chip was reset"
    case .refused(let group, let opcode, let status, let parameters):
      "it refused \(UCIWords.command(group, opcode)) with \(status)"
        + (parameters.isEmpty ? "" : ": " + UCIWords.list(parameters))
    }
  }
}

/// The specification's words for numbers on the wire.
enum UCIWords {
  private static let commands: [(UInt8, UInt8, String)] = [
    (0, 0x00, "DEVICE_RESET"), (0, 0x02, "GET_DEVICE_INFO"), (0, 0x03, "GET_CAPS_INFO"),
    (0, 0x04, "SET_CONFIG"), (0, 0x05, "GET_CONFIG"), (1, 0x00, "SESSION_INIT"),
    (1, 0x01, "SESSION_DEINIT"), (1, 0x03, "SET_APP_CONFIG"), (1, 0x04, "GET_APP_CONFIG"),
    (1, 0x07, "UPDATE_CONTROLLER_MULTICAST_LIST"), (2, 0x00, "SESSION_START"), (2, 0x01, "SESSION_STOP"),
  ]

  static func command(_ group: UInt8, _ opcode: UInt8) -> String {
    commands.first { $0.0 == group && $0.1 == opcode }?.2
      ?? "command \(hex(UInt64(group), digits: 1))/\(hex(UInt64(opcode), digits: 2))"
  }

  static func list(_ parameters: [UCIParameterStatus]) -> String {
    parameters.map { "parameter \(hex(UInt64($0.id), digits: 2)) \($0.status)" }.joined(separator: ", ")
  }

  static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  static func hex(_ octets: [UInt8]) -> String {
    octets.map { String(hex(UInt64($0), digits: 2).dropFirst(2)) }.joined()
  }

  static func address(_ address: UCIAddress) -> String {
    switch address {
    case .short(let value): hex(UInt64(value), digits: 4)
    case .extended(let value): hex(value, digits: 16)
    }
  }

  /// The names of a mask's bits; a bit without a name is told by its number.
  static func names(_ mask: UInt64, of names: [String]) -> [String] {
    (0..<64).filter { mask & 1 << UInt64($0) != 0 }.map { bit in
      bit < names.count ? names[bit] : "bit \(bit)"
    }
  }
}
