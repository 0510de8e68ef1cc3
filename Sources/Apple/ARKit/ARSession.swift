import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation
import NearbyHome
import Synchronization

/// Tracks the device's pose in a world whose origin is where tracking began.
///
/// Only one session of a device has the camera at a time: the last one that was run. The previous one is
/// interrupted until that one pauses. Methods may be called from any thread; their effects reach the delegate
/// later.
///
/// Source: Apple's documentation of `ARSession`.
open class ARSession: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: stored properties are immutable; the lock of `state` guards mutable state.
  private let device: NearbyDevice
  private let relay: CameraRelay
  /// Identifies this session to the device.
  package let camera: CameraUser
  let state = Mutex(ARSessionState())

  /// How `run` treats the results of earlier runs.
  public struct RunOptions: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Creates a set from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Restarts tracking at a new origin.
    public static let resetTracking = RunOptions(rawValue: 1 << 0)
    /// Removes all anchors.
    public static let removeExistingAnchors = RunOptions(rawValue: 1 << 1)
    /// Has no effect.
    public static let stopTrackedRaycasts = RunOptions(rawValue: 1 << 2)
    /// Has no effect.
    public static let resetSceneReconstruction = RunOptions(rawValue: 1 << 3)
  }

  /// Creates a session on the current device.
  public override init() {
    device = NearbyDevice.bound(for: "ARSession")
    relay = CameraRelay { $0.owner?.receive($1) }
    camera = device.camera.makeUser(relay)
    super.init()
    relay.attach(self)
  }

  deinit { device.camera.release(camera) }

  /// Identifies the session for its lifetime.
  open var identifier: UUID { id }
  private let id = UUID()

  /// Receives the session's events. Held weakly.
  open weak var delegate: (any ARSessionDelegate)? {
    get { state.withLock { $0.delegate.object } }
    set {
      let box = WeakBox { [weak newValue] in newValue }
      let mustListen = state.withLock { state in
        state.delegate = box
        return state.isRunning
      }
      if mustListen { device.camera.post(.runCamera(camera, wantsFrames: newValue != nil, resets: false)) }
    }
  }

  /// The queue on which the delegate is called; `nil` means the main queue.
  open var delegateQueue: DispatchQueue? {
    get { state.withLock { $0.delegateQueue } }
    set { state.withLock { $0.delegateQueue = newValue } }
  }

  /// The device's pose now; `nil` while there are no poses.
  open var currentFrame: ARFrame? { device.camera.frame(of: camera).map(makeFrame) }

  /// A copy of the configuration last passed to `run`; `nil` before the first run.
  open var configuration: ARConfiguration? {
    state.withLock { $0.configuration }.flatMap { $0.copy() as? ARConfiguration }
  }

  /// Starts or resumes tracking. The first `run` of an app asks the user for access to the camera.
  open func run(_ configuration: ARConfiguration, options: RunOptions = []) {
    guard let kept = configuration.copy() as? ARConfiguration else { return }
    guard kept is ARWorldTrackingConfiguration, kept.worldAlignment == .gravity else {
      return refuse(kept)
    }
    let (hasDelegate, removed, watchers) = state.withLock { state in
      state.configuration = kept
      state.isRunning = true
      let removed = options.contains(.removeExistingAnchors) ? state.anchors : []
      if !removed.isEmpty { state.anchors = [] }
      if options.contains(.resetTracking) { state.worldFromOrigin = matrix_identity_float4x4 }
      return (state.delegate.object != nil, removed, state.watchers)
    }
    notifyDelegate(removed) { $0.session($1, didRemove: $2) }
    watchers.forEach { $0(self) }
    device.camera.post(
      .runCamera(camera, wantsFrames: hasDelegate, resets: options.contains(.resetTracking)))
  }

  /// Fails because of an unsupported configuration. The delegate is notified after `run` has returned.
  private func refuse(_ configuration: ARConfiguration) {
    let watchers = state.withLock { state in
      state.configuration = configuration
      state.isRunning = false
      return state.watchers
    }
    watchers.forEach { $0(self) }
    device.camera.post(.pauseCamera(camera))
    device.app.later { [self] in receive(.failed(.unsupported)) }
  }

  /// Stops tracking until the next `run`.
  open func pause() {
    state.withLock { $0.isRunning = false }
    device.camera.post(.pauseCamera(camera))
  }

  // MARK: The world

  /// Adds an anchor to the world and notifies the delegate, unless it was added before.
  open func add(anchor: ARAnchor) {
    let added = ARAnchor(anchor, transform: anchor.transform, session: identifier)
    let isNew = state.withLock { state in
      guard !state.anchors.contains(where: { $0.identifier == added.identifier }) else { return false }
      state.anchors.append(added)
      return true
    }
    if isNew { notifyDelegate([added]) { $0.session($1, didAdd: $2) } }
  }

  /// Removes an anchor from the world and notifies the delegate, if the anchor was there.
  open func remove(anchor: ARAnchor) {
    let removed = state.withLock { state in
      let found = state.anchors.filter { $0.identifier == anchor.identifier }
      state.anchors.removeAll { $0.identifier == anchor.identifier }
      return found
    }
    notifyDelegate(removed) { $0.session($1, didRemove: $2) }
  }

  /// Moves the world's origin to a pose given in the present world. Objects stay where they are, so their
  /// transforms change.
  ///
  /// - Parameter relativeTransform: The transform from the new to the present world. Its scale is ignored; a
  ///   transform that is not a rigid motion has no effect.
  open func setWorldOrigin(relativeTransform: simd_float4x4) {
    guard let newFromOld = ARWorld.rigid(relativeTransform)?.inverse else { return }
    let moved = state.withLock { state in
      state.worldFromOrigin = newFromOld * state.worldFromOrigin
      state.anchors = state.anchors.map {
        ARAnchor($0, transform: newFromOld * $0.transform, session: $0.sessionIdentifier)
      }
      return state.anchors
    }
    notifyDelegate(moved) { $0.session($1, didUpdate: $2) }
  }

  /// Returns a map of the world, which holds the app's anchors.
  ///
  /// - Parameter completionHandler: Called before this method returns; gets an error if the session has not
  ///   run.
  open func getCurrentWorldMap(completionHandler: @escaping (ARWorldMap?, (any Error)?) -> Void) {
    let anchors = state.withLock { $0.configuration == nil ? nil : $0.anchors }
    guard let anchors else { return completionHandler(nil, ARError(.invalidConfiguration)) }
    completionHandler(ARWorldMap(anchors: anchors), nil)
  }

  /// Receives another device's data about the same world. No-op: collaboration is not supported.
  open func update(with collaborationData: CollaborationData) {}

  // MARK: Events

  /// Forwards an event to the delegate's queue.
  func receive(_ event: CameraEvent) {
    let queue = state.withLock { $0.delegateQueue }
    device.perform(on: queue) { [self] in report(event) }
  }

  /// Notifies the delegate. Runs on the delegate's queue.
  private func report(_ event: CameraEvent) {
    switch event {
    case .frame(let frame):
      let made = makeFrame(frame)
      let (delegate, hasChanged) = state.withLock { state in
        guard state.isRunning else { return (WeakBox<any ARSessionDelegate>(), false) }
        defer { state.trackingState = made.camera.trackingState }
        return (state.delegate, state.trackingState != made.camera.trackingState)
      }
      if hasChanged { delegate.object?.session(self, cameraDidChangeTrackingState: made.camera) }
      delegate.object?.session(self, didUpdate: made)
    case .interrupted: delegate?.sessionWasInterrupted(self)
    case .interruptionEnded: delegate?.sessionInterruptionEnded(self)
    case .failed(let failure):
      state.withLock { $0.isRunning = false }
      delegate?.session(self, didFailWithError: ARError(failure))
    }
  }

  private func makeFrame(_ frame: CameraFrame) -> ARFrame {
    let (world, anchors, wantsLight) = state.withLock {
      ($0.worldFromOrigin, $0.anchors, $0.configuration?.isLightEstimationEnabled != false)
    }
    let camera = ARCamera(
      transform: world * ARWorld.originFromCamera(frame.pose), trackingState: .init(frame.tracking))
    return ARFrame(
      timestamp: frame.time / .seconds(1), camera: camera, anchors: anchors,
      lightEstimate: wantsLight ? ARLightEstimate(ambientIntensity: frame.ambientIntensity) : nil)
  }

  /// Notifies the delegate about anchors, if there are any, after the caller has returned.
  func notifyDelegate(
    _ anchors: [ARAnchor],
    _ call: @escaping @Sendable (any ARSessionDelegate, ARSession, [ARAnchor]) -> Void
  ) {
    guard !anchors.isEmpty else { return }
    device.app.later { [self] in
      device.perform(on: delegateQueue) { [self] in
        if let delegate { call(delegate, self, anchors) }
      }
    }
  }
}

/// The mutable part of a session, guarded by its lock.
struct ARSessionState: Sendable {
  var delegate = WeakBox<any ARSessionDelegate>()
  var delegateQueue: DispatchQueue?
  var configuration: ARConfiguration?
  var isRunning = false
  var trackingState = ARCamera.TrackingState.notAvailable
  var anchors: [ARAnchor] = []
  /// The transform from where tracking began to the app's world: the inverse of the origin's total
  /// displacement by the app.
  var worldFromOrigin = matrix_identity_float4x4
  /// Called at each `run`.
  var watchers: [@Sendable (ARSession) -> Void] = []
}

/// Forwards the device's events to a session without keeping the session alive.
typealias CameraRelay = Relay<ARSession, CameraEvent>

extension CameraRelay: CameraSink {}
