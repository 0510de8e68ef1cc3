import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation
import NearbyHome
import Synchronization

/// Tracks where the device is in a world of its own.
///
/// One session of a device has the camera at a time: the last that ran. The one before is interrupted until that
/// one pauses. Methods may be called from any thread; what they cause reaches the delegate later.
///
/// Source: `facts/arkit.md`, section 1.
open class ARSession: NSObject, @unchecked Sendable {
  // All stored properties are immutable; what changes is behind `state`'s lock.
  private let device: NearbyDevice
  private let relay: CameraRelay
  /// Names this session to the device.
  package let camera: CameraUser
  let state = Mutex(ARSessionState())

  /// How `run` goes on where something ran already.
  public struct RunOptions: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Makes a set of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Tracking begins anew at a new origin.
    public static let resetTracking = RunOptions(rawValue: 1 << 0)
    /// The anchors go.
    public static let removeExistingAnchors = RunOptions(rawValue: 1 << 1)
    /// Without effect.
    public static let stopTrackedRaycasts = RunOptions(rawValue: 1 << 2)
    /// Without effect.
    public static let resetSceneReconstruction = RunOptions(rawValue: 1 << 3)
  }

  /// Makes a session of the device that is current.
  public override init() {
    device = NearbyDevice.bound
    relay = CameraRelay { $0.owner?.receive($1) }
    camera = device.camera.makeUser(relay)
    super.init()
    relay.attach(self)
  }

  deinit { device.camera.release(camera) }

  /// Stays the same as long as the session lives.
  public let identifier = UUID()

  /// Hears of everything the session does. Not kept alive by the session.
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

  /// Where the delegate is called; the main queue when `nil`.
  open var delegateQueue: DispatchQueue? {
    get { state.withLock { $0.delegateQueue } }
    set { state.withLock { $0.delegateQueue = newValue } }
  }

  /// Where the device is now; `nil` while no poses come.
  open var currentFrame: ARFrame? { device.camera.frame(of: camera).map(makeFrame) }

  /// A copy of what `run` was last called with; `nil` before.
  open var configuration: ARConfiguration? {
    state.withLock { $0.configuration }.flatMap { $0.copy() as? ARConfiguration }
  }

  /// Starts, or goes on. The first `run` of an app asks its user for the camera.
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
    tell(removed) { $0.session($1, didRemove: $2) }
    watchers.forEach { $0(self) }
    device.camera.post(
      .runCamera(camera, wantsFrames: hasDelegate, resets: options.contains(.resetTracking)))
  }

  /// The delegate hears of what cannot be done here, after `run` has returned.
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

  /// Stops the poses; `run` takes them up again.
  open func pause() {
    state.withLock { $0.isRunning = false }
    device.camera.post(.pauseCamera(camera))
  }

  /// Takes an event to the delegate's queue.
  func receive(_ event: CameraEvent) {
    let queue = state.withLock { $0.delegateQueue }
    device.perform(on: queue) { [self] in report(event) }
  }

  /// On the delegate's queue.
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

  /// Calls the delegate about anchors, if there are any, after the caller has returned.
  func tell(
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

/// What of a session changes, under its lock.
struct ARSessionState: Sendable {
  var delegate = WeakBox<any ARSessionDelegate>()
  var delegateQueue: DispatchQueue?
  var configuration: ARConfiguration?
  var isRunning = false
  var trackingState = ARCamera.TrackingState.notAvailable
  var anchors: [ARAnchor] = []
  /// The app's world from where tracking began: the inverse of what it moved the origin by.
  var worldFromOrigin = matrix_identity_float4x4
  /// Told of every `run`.
  var watchers: [@Sendable (ARSession) -> Void] = []
}

/// Stands between a device and a session, so that the device does not keep the session alive.
typealias CameraRelay = Relay<ARSession, CameraEvent>

extension CameraRelay: CameraSink {}
