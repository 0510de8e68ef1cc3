import Foundation
import NearbyInteraction

/// A phone's app that ranges with an accessory as soon as it is there.
///
/// The flow of Apple's accessory sample in our own words (`facts/samples.md`, section 3), on the public API alone,
/// on the main queue throughout.
public final class AccessoryApp: NSObject {
  /// The ids of messages. Source: `facts/accessory-protocol.md`, section 1.
  private enum Message: UInt8 {
    case configurationData = 0x01
    case didStart = 0x02
    case didStop = 0x03
    case initialize = 0x0A
    case configureAndStart = 0x0B
    case stop = 0x0C
  }

  /// Metres; `nil` while nothing is known.
  public private(set) var distance: Float? { didSet { onChange?() } }
  /// What happened, in words, for the screen.
  public private(set) var log: [String] = []
  /// Called after each change.
  public var onChange: (() -> Void)?
  /// The name of who is ranged with.
  public private(set) var accessoryName: String?

  private let channel: AccessoryChannel
  private let isHandsFree: Bool
  private var session = NISession()
  private var configuration: NINearbyAccessoryConfiguration?
  private var identifier: UUID?

  /// - Parameters:
  ///   - channel: To the accessory.
  ///   - isHandsFree: Whether ranging goes on while the app is in the background.
  public init(_ channel: AccessoryChannel, isHandsFree: Bool = false) {
    self.channel = channel
    self.isHandsFree = isHandsFree
    super.init()
    session.delegate = self
    channel.onReady = { [weak self] name, identifier in
      self?.accessoryName = name
      self?.identifier = identifier
      self?.note("connected to \(name)")
      self?.send(.initialize)
    }
    channel.onLost = { [weak self] in self?.note("link lost") }
    channel.onMessage = { [weak self] in self?.received($0) }
  }

  /// Ends the ranging for good.
  public func end() {
    if channel.isReady { send(.stop) }
    session.invalidate()
  }

  private func note(_ text: String) {
    log.append(text)
    onChange?()
  }

  private func send(_ message: Message, _ payload: Data = Data()) {
    channel.send(Data([message.rawValue]) + payload)
  }

  private func received(_ data: Data) {
    switch data.first.flatMap(Message.init) {
    case .configurationData: configure(data.dropFirst())
    case .didStart: note("accessory ranges")
    case .didStop: note("accessory stopped")
    case .initialize, .configureAndStart, .stop, nil: note("a message that is none")
    }
  }

  private func configure(_ data: Data) {
    do {
      let configuration: NINearbyAccessoryConfiguration
      if isHandsFree, let identifier {
        configuration = try NINearbyAccessoryConfiguration(
          accessoryData: data, bluetoothPeerIdentifier: identifier)
      } else {
        configuration = try NINearbyAccessoryConfiguration(data: data)
      }
      self.configuration = configuration
      session.run(configuration)
    } catch {
      note("the accessory's data can't be used: \(error.localizedDescription)")
    }
  }

  /// A new exchange, if there is somebody to have it with; else it comes with the next link.
  private func beginAnew(stopsFirst: Bool) {
    guard channel.isReady else { return }
    if stopsFirst { send(.stop) }
    send(.initialize)
  }
}

extension AccessoryApp: NISessionDelegate {
  /// Carries what the system made to the accessory.
  public func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject
  ) {
    guard object.discoveryToken == configuration?.accessoryDiscoveryToken else { return }
    send(.configureAndStart, shareableConfigurationData)
  }

  /// Shows the distance.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let accessory = nearbyObjects.first, let distance = accessory.distance else { return }
    self.distance = distance
  }

  /// Tries again while the accessory is connected.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    distance = nil
    guard reason == .timeout else { return note("accessory ended") }
    note("accessory silent")
    beginAnew(stopsFirst: true)
  }

  /// The accessory need not go on.
  public func sessionWasSuspended(_ session: NISession) {
    distance = nil
    note("suspended")
    if channel.isReady { send(.stop) }
  }

  /// A new exchange.
  public func sessionSuspensionEnded(_ session: NISession) {
    note("suspension ended")
    beginAnew(stopsFirst: false)
  }

  /// Begins with a new session where that can help.
  public func session(_ session: NISession, didInvalidateWith error: any Error) {
    distance = nil
    note("invalidated: \(error.localizedDescription)")
    switch error {
    case NIError.invalidConfiguration, NIError.userDidNotAllow, NIError.unsupportedPlatform,
      NIError.accessoryPeerDeviceUnavailable:
      return
    case _:
      self.session = NISession()
      self.session.delegate = self
      beginAnew(stopsFirst: true)
    }
  }
}
