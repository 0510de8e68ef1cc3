import ARKit
import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// Ranges with one peer, or one accessory.
///
/// A session belongs to the device that is current when it is made: the process's own, or in a test the phone
/// whose code makes it. Its methods may be called from any thread; they return at once, and what they cause
/// reaches the delegate later, never inside the call.
///
/// Source: `facts/nearbyinteraction.md`, sections 2 and 4.
open class NISession: NSObject, SessionSink, @unchecked Sendable {
  // All stored properties are immutable; what changes is behind `state`'s lock.
  let device: NearbyDevice
  let id: SessionID
  private let token: NIDiscoveryToken
  let state = Mutex(SessionState())

  /// Makes a session with a token of its own.
  public override init() {
    device = NearbyDevice.bound
    let made = device.sessions.makeSession()
    id = made.id
    token = NIDiscoveryToken(made.identity)
    super.init()
    device.sessions.attach(self, to: id)
  }

  deinit {
    state.withLock { $0.tracking }?.stop(for: id)
    device.sessions.post(.release(id))
  }

  /// Whether this device measures distances.
  @available(*, deprecated, message: "Use deviceCapabilities.supportsPreciseDistanceMeasurement")
  open class var isSupported: Bool { deviceCapabilities.supportsPreciseDistanceMeasurement }

  /// What this device can do.
  open class var deviceCapabilities: any NIDeviceCapability {
    DeviceCapability(capabilities: NearbyDevice.bound.sessions.capabilities)
  }

  /// Hears of everything the session does. Not kept alive by the session.
  open weak var delegate: (any NISessionDelegate)? {
    get { state.withLock { $0.delegate.object } }
    set {
      let box = WeakBox { [weak newValue] in newValue }
      state.withLock { $0.delegate = box }
    }
  }

  /// Where the delegate is called; the main queue when `nil`.
  open var delegateQueue: DispatchQueue? {
    get { state.withLock { $0.delegateQueue } }
    set { state.withLock { $0.delegateQueue = newValue } }
  }

  /// Names this session to its peer; there from the start, `nil` once the session is invalidated.
  open var discoveryToken: NIDiscoveryToken? { state.withLock { $0.isOver } ? nil : token }

  /// A copy of what `run` was last called with; it survives pauses, suspensions and the end of the session.
  open var configuration: NIConfiguration? {
    guard let request = state.withLock({ $0.request }) else { return nil }
    if let target = request.accessory {
      let configuration = NINearbyAccessoryConfiguration(target)
      configuration.isCameraAssistanceEnabled = request.usesCameraAssistance
      return configuration
    }
    let configuration = NINearbyPeerConfiguration(peerToken: NIDiscoveryToken(request.peer))
    configuration.isCameraAssistanceEnabled = request.usesCameraAssistance
    configuration.isExtendedDistanceMeasurementEnabled = request.usesExtendedDistance
    return configuration
  }

  /// Starts, or starts again. Updates come once the peer runs with this session's token too.
  ///
  /// What comes of it is one of `sessionDidStartRunning`, `sessionWasSuspended` or `didInvalidateWith`. The
  /// first `run` of an app asks its user. After the end of a session it does nothing.
  open func run(_ configuration: NIConfiguration) {
    let request: PeerConfiguration
    switch configuration {
    case let peer as NINearbyPeerConfiguration: request = peer.request
    case let accessory as NINearbyAccessoryConfiguration:
      guard let known = accessory.request else {
        return device.sessions.post(.reject(id, .unsupportedPlatform))
      }
      request = known
    // The kinds there are so far; an app cannot make another but by archiving a bare configuration.
    case _: return device.sessions.post(.reject(id, .invalidConfiguration))
    }
    follow(request.accessory?.bluetoothPeer)
    let isFit = prepareCamera(for: request)
    let isOver = state.withLock { state in
      state.isPaused = false
      if !state.isOver, state.request != request {
        state.request = request
        state.peer = NIDiscoveryToken(request.peer)
      }
      return state.isOver
    }
    if !isOver { device.sessions.post(isFit ? .run(id, request) : .reject(id, .invalidARConfiguration)) }
  }

  /// Stops the updates; `run` takes them up again. The peer sees a silence, and in time a `timeout`.
  open func pause() {
    let tracking = state.withLock { state in
      state.isPaused = true
      return state.tracking
    }
    tracking?.stop(for: id)
    device.sessions.post(.pause(id))
  }

  /// Ends the session for good. The peer is told, as far as it can be reached; this delegate hears nothing more.
  open func invalidate() {
    let (streams, tracking) = state.withLock { ($0.end(), $0.tracking) }
    streams.finish()
    tracking?.stop(for: id)
    device.sessions.post(.invalidate(id))
  }

  /// Watches an accessory on Bluetooth, and no longer the one before.
  private func follow(_ peer: BluetoothPeer?) {
    let before = state.withLock { $0.watch }
    guard let peer else { return state.withLock { $0.watch = nil } }
    // Read anew at each run: the accessory's configuration data may be another.
    let watch = before?.peer == peer ? before : AccessoryWatch(peer, of: device)
    state.withLock { $0.watch = watch }
    watch?.look()
  }

  // MARK: Events

  /// Takes an event to the delegate's queue.
  package func received(_ event: SessionEvent, peer: DiscoveryIdentity?) {
    let (queue, tracking) = state.withLock { ($0.delegateQueue, $0.tracking) }
    if let tracking { follow(event, with: tracking) }
    device.perform(on: queue) { [self] in report(event, of: peer) }
  }

  /// On the delegate's queue.
  private func report(_ event: SessionEvent, of eventPeer: DiscoveryIdentity?) {
    guard let listeners = state.withLock({ $0.willReport(event, of: eventPeer) }) else { return }
    let delegate = listeners.delegate.value
    if delegate == nil, listeners.streams == nil { return }
    let happening = Event(event, peer: listeners.peer ?? token)
    if let delegate { happening.call(delegate, of: self) }
    listeners.streams?.yield(happening)
    if case .invalidated = event { listeners.streams?.finish() }
  }
}

/// What of a session changes, under its lock.
struct SessionState: Sendable {
  var delegate = WeakBox<any NISessionDelegate>()
  var delegateQueue: DispatchQueue?
  var request: PeerConfiguration?
  /// The token of `request`, made once.
  var peer: NIDiscoveryToken?
  /// What the app gave to `setARSession`.
  var arSession: ARSession?
  /// The camera where the app gave none.
  var tracking: PrivateTracking?
  /// Follows the accessory on Bluetooth, for a configuration that names it there.
  var watch: AccessoryWatch?
  /// Where the peer is in the device's track, as of the last update.
  var placeInTrack: SIMD3<Double>?
  /// `pause` was the last word.
  var isPaused = false
  var isOver = false
  var streams = SessionStreams()

  /// Whom to tell of an event; nobody when the session is over, or the event is about a peer that the app has
  /// given up for another since, or about one that it has paused. The end of the session is noted.
  mutating func willReport(
    _ event: SessionEvent, of eventPeer: DiscoveryIdentity?
  ) -> SessionListeners? {
    guard !isOver else { return nil }
    switch event {
    case .updated, .removed, .assisted, .convergence, .shareable:
      guard eventPeer == request?.peer, !isPaused else { return nil }
    case .suspended, .suspensionEnded, .startedRunning, .invalidated: break
    }
    switch event {
    case .assisted(_, let assisted): placeInTrack = assisted.positionInTrack
    case .convergence, .shareable: break
    case .updated, .removed, .suspended, .suspensionEnded, .startedRunning, .invalidated: placeInTrack = nil
    }
    let listeners = SessionListeners(
      delegate: UncheckedSendable(delegate.object), streams: streams.isEmpty ? nil : streams, peer: peer)
    if case .invalidated = event { _ = end() }
    return listeners
  }

  mutating func end() -> SessionStreams {
    isOver = true
    watch = nil
    defer { streams = SessionStreams() }
    return streams
  }
}

/// Who hears one event. The delegate is only called on its queue, where this is made.
struct SessionListeners: Sendable {
  let delegate: UncheckedSendable<(any NISessionDelegate)?>
  let streams: SessionStreams?
  let peer: NIDiscoveryToken?
}
