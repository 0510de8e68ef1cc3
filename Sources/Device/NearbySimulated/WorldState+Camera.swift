import NearbyAirs
import NearbyDeviceMachine
import NearbyEstimation
import NearbySimulator

/// The camera of one simulated device.
struct SimulatedCamera: Sendable {
  var tracker: CameraTracker?
  /// The epoch of tracking that `tracker` belongs to.
  var epoch = 0
  var surroundings = CameraTracker.Surroundings()
  /// How the user answers when an app asks for the camera; `nil` leaves the question open.
  var answer: Permission? = .allowed
  var sinks: [(user: CameraUser, sink: any CameraSink)] = []
  /// Whether a frame is scheduled.
  var isScheduled = false
}

extension WorldState {
  mutating func makeCameraUser(_ sink: any CameraSink, device: Int) -> CameraUser {
    let user = devices[device].machine.makeCameraUser()
    cameras[device, default: SimulatedCamera()].sinks.append((user, sink))
    return user
  }

  mutating func releaseCamera(_ user: CameraUser, device: Int) {
    cameras[device]?.sinks.removeAll { $0.user == user }
    post(.pauseCamera(user), device: device)
  }

  mutating func setCameraSurroundings(
    of device: Int, _ change: (inout CameraTracker.Surroundings) -> Void
  ) {
    // Until now the camera saw the old surroundings.
    sampleCamera(of: device)
    change(&cameras[device, default: SimulatedCamera()].surroundings)
  }

  /// The pose at this time, if the user has the camera.
  mutating func cameraFrame(of user: CameraUser, device: Int) -> CameraFrame? {
    guard devices[device].machine.cameraOwner == user else { return nil }
    return trackedFrame(of: device)
  }

  /// Feeds a device its current pose, if its camera runs.
  mutating func sampleCamera(of device: Int) {
    guard devices[device].machine.isCameraRunning, let frame = trackedFrame(of: device) else { return }
    devices[device].machine.received(frame, notifiesOwner: false, at: now)
  }

  // MARK: Frames for apps

  mutating func scheduleCameraFrame(of device: Int) {
    guard cameras[device]?.isScheduled == false, devices[device].machine.wantsCameraFrames else { return }
    cameras[device]?.isScheduled = true
    tasks.insert(.cameraFrame(device: device), at: now + CameraTracker.frameInterval)
  }

  mutating func takeCameraFrame(of device: Int) {
    cameras[device]?.isScheduled = false
    guard devices[device].machine.wantsCameraFrames, let frame = trackedFrame(of: device) else { return }
    devices[device].machine.received(frame, notifiesOwner: true, at: now)
    runUntilIdle(device)
    scheduleCameraFrame(of: device)
  }

  // MARK: Tracking

  private mutating func trackedFrame(of device: Int) -> CameraFrame? {
    let body = devices[device].body
    let world = air.medium.world
    let epoch = devices[device].machine.cameraEpoch
    guard var camera = cameras[device] else { return nil }
    if camera.tracker == nil || camera.epoch != epoch {
      let seed = seed ^ UInt64(body.index + 1) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(epoch)
      camera.tracker = CameraTracker(seed: seed, at: now, world.pose(of: body, at: now))
      camera.epoch = epoch
    }
    camera.tracker?.advance(to: now, camera.surroundings) { world.pose(of: body, at: $0) }
    cameras[device] = camera
    guard let tracked = camera.tracker?.tracked(world.pose(of: body, at: now), at: now) else { return nil }
    return CameraFrame(
      time: now,
      pose: DevicePose(
        positionInWorld: tracked.pose.positionInWorld,
        worldFromDevice: tracked.pose.worldFromDevice.quaternion),
      tracking: CameraTracking(tracked.state), ambientIntensity: camera.surroundings.light)
  }
}

extension CameraTracking {
  init(_ state: CameraTracker.State) {
    switch state {
    case .initializing: self = .initializing
    case .excessiveMotion: self = .excessiveMotion
    case .insufficientFeatures: self = .insufficientFeatures
    case .relocalizing: self = .relocalizing
    case .normal: self = .normal
    }
  }
}
