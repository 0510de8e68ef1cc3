import ARKit
import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization
import simd

/// Ranges with one peer or one accessory.
///
/// A session belongs to the device that is current when it is created: the process's own, or in a test the
/// phone whose code creates it. Its methods may be called from any thread. They return at once; their effects
/// reach the delegate later, never during the call.
///
/// Source: Apple's documentation of `NISession`.
open class NISession: NSObject, SessionSink, @unchecked Sendable {
  // `@unchecked Sendable`: stored properties are immutable; the lock of `state` guards mutable state.
  let device: NearbyDevice
  let id: SessionID
  private let token: NIDiscoveryToken
  let state = Mutex(SessionState())

  /// Creates a session with its own discovery token.
  public override init() {
    device = NearbyDevice.bound(for: "NISession")
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

  /// Whether this device measures distances to peers.
  @available(*, deprecated, message: "Use deviceCapabilities.supportsPreciseDistanceMeasurement")
  open class var isSupported: Bool { deviceCapabilities.supportsPreciseDistanceMeasurement }

  /// The capabilities of this device.
  open class var deviceCapabilities: any NIDeviceCapability {
    DeviceCapability(capabilities: NearbyDevice.bound.sessions.capabilities)
  }

  /// Receives the session's events. Held weakly.
  open weak var delegate: (any NISessionDelegate)? {
    get { state.withLock { $0.delegate.object } }
    set {
      let box = WeakBox { [weak newValue] in newValue }
      state.withLock { $0.delegate = box }
    }
  }

  /// The queue on which the delegate is called; `nil` means the main queue.
  open var delegateQueue: DispatchQueue? {
    get { state.withLock { $0.delegateQueue } }
    set { state.withLock { $0.delegateQueue = newValue } }
  }

  /// Identifies this session to its peer. Available from the start; `nil` once the session is invalidated.
  open var discoveryToken: NIDiscoveryToken? { state.withLock { $0.isOver } ? nil : token }

  /// A copy of the configuration last passed to `run`; it survives pauses, suspensions and the session's end.
  open var configuration: NIConfiguration? {
    let (known, anchors) = state.withLock { ($0.request, $0.anchors) }
    if let anchors { return NIDLTDOAConfiguration(networkIdentifier: Int(anchors.network)) }
    guard let request = known else { return nil }
    if let target = request.sounding {
      let configuration = NINearbyAccessoryConfiguration(target)
      configuration.isCameraAssistanceEnabled = request.usesCameraAssistance
      return configuration
    }
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

  /// Starts or restarts the session. Updates begin once the peer runs with this session's token too.
  ///
  /// The result is one of `sessionDidStartRunning`, `sessionWasSuspended` or `didInvalidateWith`. The first
  /// `run` of an app asks the user for permission. Has no effect once the session is invalidated.
  open func run(_ configuration: NIConfiguration) {
    let request: PeerConfiguration
    switch configuration {
    case let peer as NINearbyPeerConfiguration: request = peer.request
    case let accessory as NINearbyAccessoryConfiguration:
      request = accessory.request
    case let anchors as NIDLTDOAConfiguration: return listen(anchors)
    // A bare `NIConfiguration` from an archive.
    case _: return device.sessions.post(.reject(id, .invalidConfiguration))
    }
    watchAccessory(request.accessory?.bluetoothPeer)
    let isFit = prepareCamera(for: request)
    let isOver = state.withLock { state in
      state.isPaused = false
      state.stopListening()
      if !state.isOver, state.request != request {
        state.request = request
        state.peer = NIDiscoveryToken(request.peer)
      }
      return state.isOver
    }
    if !isOver { device.sessions.post(isFit ? .run(id, request) : .reject(id, .invalidARConfiguration)) }
  }

  /// Stops the updates until the next `run`. The peer stops receiving signals and in time reports a
  /// `timeout`.
  open func pause() {
    let tracking = state.withLock { state in
      state.isPaused = true
      return state.tracking
    }
    tracking?.stop(for: id)
    device.sessions.post(.pause(id))
  }

  /// Ends the session for good. The peer is notified if it is in reach; the delegate gets no more calls.
  open func invalidate() {
    let (streams, tracking) = state.withLock { ($0.end(), $0.tracking) }
    streams.finish()
    tracking?.stop(for: id)
    device.sessions.post(.invalidate(id))
  }

  // MARK: Camera and motion

  /// Lets camera assistance use an AR session that the app creates and runs itself. Call it before `run`.
  ///
  /// The AR session's configuration must track the world with `gravity` alignment, without collaboration,
  /// face tracking or an initial map, and its delegate must not attempt relocalisation. Breaking a rule, now
  /// or in a later `run` of either session, ends this session with `invalidARConfiguration`. The same happens
  /// if this method is called after `run`, if the session runs without camera assistance, or if the device
  /// lacks it.
  ///
  /// Source: Apple's documentation of `NISession.setARSession(_:)`.
  open func setARSession(_ session: ARSession) {
    let isTooLate = state.withLock { state in
      state.arSession = session
      return state.request != nil && !state.isPaused
    }
    guard !isTooLate, device.sessions.capabilities.contains(.cameraAssistance) else {
      return device.sessions.post(.reject(id, .invalidARConfiguration))
    }
    device.sessions.post(.useCamera(id, session.camera))
    session.watchRuns { [weak self] in self?.arSessionRan($0) }
  }

  /// The peer's pose in the app's AR world; `nil` until horizontal and vertical sweeps have located it.
  ///
  /// The position is that of the last update; the orientation is that of the world's axes. The world is that
  /// of the AR session given to `setARSession`, or else that of a session private to this process, whose
  /// origin is where tracking began.
  ///
  /// - Parameter object: An object that this session reported; one for another peer gives `nil`.
  open func worldTransform(for object: NINearbyObject) -> simd_float4x4? {
    let (place, peer, given, own) = state.withLock {
      ($0.placeInTrack, $0.peer, $0.arSession, $0.tracking?.session)
    }
    guard let place, object.discoveryToken == peer else { return nil }
    return (given ?? own)?.worldTransform(ofPlaceInTrack: place)
  }

  /// Reports whether an accessory is moving.
  ///
  /// Camera assistance drops the place of an accessory that begins to move, and searches it again once it does not. No-op
  /// without camera assistance, where the estimators detect motion themselves, and for the token of another object.
  open func updateMotionState(
    _ motionState: NIMotionActivityState, forObjectWithToken token: NIDiscoveryToken
  ) {
    device.sessions.post(.setMotion(id, token.identity, isMoving: motionState == .moving))
  }

  /// Starts or stops Channel Sounding with an accessory, on the device's own thread.
  private func sound(_ accessory: BluetoothPeer?) {
    let watch = accessory.map { SoundingWatch($0, for: id, of: device) }
    state.withLock { $0.soundingWatch = watch }
    watch?.start()
  }

  /// Watches the Bluetooth connection of this accessory instead of the previous one; `nil` stops watching.
  private func watchAccessory(_ peer: BluetoothPeer?) {
    let before = state.withLock { $0.watch }
    guard let peer else { return state.withLock { $0.watch = nil } }
    // Read the accessory's service at each run, because its configuration data may have changed.
    let watch = before?.peer == peer ? before : AccessoryWatch(peer, of: device)
    state.withLock { $0.watch = watch }
    watch?.refresh()
  }

  // MARK: Events

  /// Forwards an event to the delegate's queue.
  package func received(_ event: SessionEvent, peer: DiscoveryIdentity?) {
    if case .sounds(let accessory) = event { return sound(accessory) }
    let (queue, tracking) = state.withLock { ($0.delegateQueue, $0.tracking) }
    if let tracking { switchCamera(event, with: tracking) }
    device.perform(on: queue) { [self] in report(event, of: peer) }
  }

  /// Calls the delegate and the open sequences. Runs on the delegate's queue.
  private func report(_ event: SessionEvent, of eventPeer: DiscoveryIdentity?) {
    guard let listeners = state.withLock({ $0.willReport(event, of: eventPeer) }) else { return }
    let delegate = listeners.delegate.value
    if delegate == nil, listeners.streams == nil { return }
    guard let happening = Event(event, peer: listeners.peer ?? token) else { return }
    if let delegate { happening.call(delegate, of: self) }
    listeners.streams?.yield(happening)
    if case .invalidated = event { listeners.streams?.finish() }
  }
}

/// The mutable part of a session, guarded by its lock.
struct SessionState: Sendable {
  var delegate = WeakBox<any NISessionDelegate>()
  var delegateQueue: DispatchQueue?
  var request: PeerConfiguration?
  /// The anchors that the session listens to, in place of a request.
  var anchors: AnchorNetworkConfiguration?
  /// Represents the session to the device's location while it listens to anchors.
  var locationUse: LocationUse?
  /// The token of `request`.
  var peer: NIDiscoveryToken?
  /// The AR session that the app passed to `setARSession`.
  var arSession: ARSession?
  /// The private AR session, if the app supplied none.
  var tracking: PrivateTracking?
  /// Watches the accessory's Bluetooth connection, if the configuration names one.
  var watch: AccessoryWatch?
  /// Performs Channel Sounding, while the session ranges by it.
  var soundingWatch: SoundingWatch?
  /// The peer's position in the frame of the device's track as of the last update, in metres.
  var placeInTrack: SIMD3<Double>?
  /// True from `pause` to the next `run`.
  var isPaused = false
  var isOver = false
  var streams = SessionStreams()

  /// Records an event that is about to be reported and returns its recipients.
  ///
  /// Returns `nil`, so that the event is dropped, if the session is over, if the event concerns a peer that
  /// the app has since replaced by another, or if it concerns the peer of a paused session. `invalidated`
  /// marks the session as over.
  mutating func willReport(
    _ event: SessionEvent, of eventPeer: DiscoveryIdentity?
  ) -> SessionListeners? {
    guard !isOver else { return nil }
    switch event {
    case .anchorsHeard: guard anchors != nil, !isPaused else { return nil }
    case .updated, .removed, .assisted, .convergence, .shareable, .sounds:
      guard eventPeer == request?.peer, !isPaused else { return nil }
    case .suspended, .suspensionEnded, .startedRunning, .invalidated: break
    }
    switch event {
    case .assisted(_, let assisted): placeInTrack = assisted.positionInTrack
    case .convergence, .shareable, .anchorsHeard, .sounds: break
    case .updated, .removed, .suspended, .suspensionEnded, .startedRunning, .invalidated: placeInTrack = nil
    }
    let listeners = SessionListeners(
      delegate: UncheckedSendable(delegate.object), streams: streams.isEmpty ? nil : streams, peer: peer)
    if case .invalidated = event { _ = end() }
    return listeners
  }

  mutating func stopListening() {
    anchors = nil
    locationUse = nil
  }

  mutating func end() -> SessionStreams {
    isOver = true
    watch = nil
    soundingWatch = nil
    locationUse = nil
    defer { streams = SessionStreams() }
    return streams
  }
}

/// The recipients of one event. Created on the delegate's queue, and used only there.
struct SessionListeners: Sendable {
  let delegate: UncheckedSendable<(any NISessionDelegate)?>
  let streams: SessionStreams?
  let peer: NIDiscoveryToken?
}
