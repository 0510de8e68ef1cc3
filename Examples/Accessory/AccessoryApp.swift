import Foundation
import NearbyInteraction

/// A phone's app that ranges with an accessory as soon as the two are connected.
///
/// It follows the flow of Apple's sample "Implementing spatial interactions with third-party accessories" and
/// uses only public API. Everything happens on the main queue.
public final class AccessoryApp: NSObject {
  /// The ids of messages. Source: Apple, "Nearby Interaction Accessory Protocol Specification".
  private enum Message: UInt8 {
    case configurationData = 0x01
    case didStart = 0x02
    case didStop = 0x03
    case initialize = 0x0A
    case configureAndStart = 0x0B
    case stop = 0x0C
  }

  /// Metres, or `nil` while the distance is unknown.
  public private(set) var distance: Float? { didSet { onChange?() } }
  /// The events so far, as text for the screen.
  public private(set) var log: [String] = []
  /// Called after each change of `distance` or `log`.
  public var onChange: (() -> Void)?
  /// The name of the accessory that was connected last.
  public private(set) var accessoryName: String?

  private let channel: AccessoryChannel
  private let isHandsFree: Bool
  private var session = NISession()
  private var configuration: NINearbyAccessoryConfiguration?
  private var identifier: UUID?

  /// - Parameters:
  ///   - channel: The connection to the accessory.
  ///   - isHandsFree: Whether ranging continues while the app is in the background.
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

  /// Stops ranging. The app can't be used afterwards.
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
    case .didStart: note("accessory started ranging")
    case .didStop: note("accessory stopped")
    case .initialize, .configureAndStart, .stop, nil: note("unknown message from the accessory")
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

  /// Starts a new exchange if the accessory is connected; otherwise `onReady` starts it with the next link.
  private func beginAnew(stopsFirst: Bool) {
    guard channel.isReady else { return }
    if stopsFirst { send(.stop) }
    send(.initialize)
  }
}

extension AccessoryApp: NISessionDelegate {
  /// Sends the accessory the configuration that the system generated for it.
  public func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject
  ) {
    guard object.discoveryToken == configuration?.accessoryDiscoveryToken else { return }
    send(.configureAndStart, shareableConfigurationData)
  }

  /// Stores the new distance.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let accessory = nearbyObjects.first, let distance = accessory.distance else { return }
    self.distance = distance
  }

  /// Tries again after a timeout if the accessory is still connected.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    distance = nil
    guard reason == .timeout else { return note("accessory ended the session") }
    note("accessory timed out")
    beginAnew(stopsFirst: true)
  }

  /// Tells the accessory to stop, because a suspended session doesn't range.
  public func sessionWasSuspended(_ session: NISession) {
    distance = nil
    note("suspended")
    if channel.isReady { send(.stop) }
  }

  /// Starts a new exchange.
  public func sessionSuspensionEnded(_ session: NISession) {
    note("suspension ended")
    beginAnew(stopsFirst: false)
  }

  /// Starts over with a new session unless the error is final.
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
