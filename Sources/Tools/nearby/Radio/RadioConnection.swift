import NearbyChipTools
import NearbyCommandLine
import NearbyRadioLinks
import NearbyUCI

/// An initialised chip on a link. One thread receives its events.
struct RadioConnection {
  /// An event that ends a wait.
  enum Letter: Sendable {
    case radio(RadioShell.Event)
    case interrupted
  }

  /// Time for reset, device information and capabilities: four responses of at most 2 s, with retries.
  private static let bringUpTime = Duration.seconds(20)

  private static let expected = "tcp:HOST:PORT or serial:DEVICE[@BAUD]"

  let address: RadioAddress
  let shell: RadioShell
  private let mailbox: Mailbox<Letter>

  /// Connects to the chip and starts its initialisation.
  init(_ arguments: CommandArguments, in context: CommandContext) throws {
    address = try Self.address(arguments, context)
    let timeout = try arguments[RadioOptions.timeout]
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

  private static func address(_ arguments: CommandArguments, _ context: CommandContext) throws(UsageError)
    -> RadioAddress
  {
    let option = try arguments[RadioOptions.radio]
    guard let text = option ?? context.environment["NEARBY_RADIO"], !text.isEmpty else {
      throw .missingOption(RadioOptions.radio.spec.name, placeholder: Self.expected)
    }
    do throws(LinkError) {
      return try RadioAddress(text)
    } catch {
      guard case .badAddress(let found, let expected) = error else {
        throw .invalidValue(option: "\(RadioOptions.radio)", found: text, expected: Self.expected)
      }
      let name = option == nil ? "NEARBY_RADIO" : "\(RadioOptions.radio)"
      throw .invalidValue(option: name, found: found, expected: expected)
    }
  }

  /// Waits for the next event. Returns `nil` at `end` even if the chip sends events faster than they are handled.
  ///
  /// The event counts as consumed once this returns.
  func next(before end: ContinuousClock.Instant?) -> Letter? {
    let letter = mailbox.next(before: end)
    if case .radio(.host) = letter { shell.consumed() }
    return letter
  }

  /// Waits until the chip has reported its information and capabilities.
  func awaitReady() throws(CommandError) -> (UCIDeviceInfo, UCICapabilities) {
    let end = ContinuousClock.now + Self.bringUpTime
    while let letter = next(before: end) {
      switch letter {
      case .interrupted: throw .interrupted
      case .radio(.closed(let error)): throw lost(error)
      case .radio(.host(.bringUpFailed(.lost), _)): continue
      case .radio(.host(.bringUpFailed(let failure), _)):
        throw .unavailable("\(address): the chip could not be initialised: \(failure.sentence)")
      case .radio(.host(.ready(let information, _), _)):
        if let capabilities = shell.withHost({ $0.capabilities }) { return (information, capabilities) }
      case .radio: continue
      }
    }
    throw .unavailable(
      "\(address): timed out: the chip could not be initialised within \(Self.bringUpTime / .seconds(1)) s")
  }

  func lost(_ error: LinkError?) -> CommandError {
    .unavailable("\(address): \(error ?? .closedByPeer)")
  }
}
