import NearbyDeviceMachine
import NearbyEstimation
import Testing

/// The camera of a device without a radio.
@Suite("Device machine: camera")
struct MachineCameraTests {
  private var machine = DeviceMachine(hasRadio: false, usageDescription: nil)
  private let first: CameraUser
  private let second: CameraUser

  init() {
    machine.setCamera(isAvailable: true, permission: .notDetermined, usageDescription: "to see")
    first = machine.makeCameraUser()
    second = machine.makeCameraUser()
  }

  private mutating func after(_ commands: DeviceMachine.Command...) -> [DeviceMachine.Action] {
    var actions: [DeviceMachine.Action] = []
    for command in commands { machine.handle(command, at: .zero) }
    machine.takeActions(into: &actions)
    return actions
  }

  private func run(_ user: CameraUser) -> DeviceMachine.Command {
    .runCamera(user, wantsFrames: true, resets: false)
  }

  @Test("The user is asked once, and all waiting sessions get the answer")
  mutating func asksOnce() {
    #expect(after(run(first), run(second)) == [.askCameraPermission])
    #expect(!machine.isCameraRunning)
    #expect(
      after(.answerCameraPermission(.allowed)) == [
        .storeCameraPermission(.allowed), .deliverCamera(first, .interrupted),
      ])
    #expect(machine.cameraOwner == second)
    #expect(after(.answerCameraPermission(.denied)) == [], "no question was open")
  }

  @Test("A refusal fails sessions that wait, and later ones")
  mutating func refusal() {
    _ = after(run(first))
    #expect(
      after(.answerCameraPermission(.denied)) == [
        .storeCameraPermission(.denied), .deliverCamera(first, .failed(.unauthorized)),
      ])
    #expect(after(run(second)) == [.deliverCamera(second, .failed(.unauthorized))])
  }

  @Test("Pausing returns the camera to its previous user, and tracking starts over")
  mutating func givesBack() {
    _ = after(.setCameraPermission(.allowed), run(first), run(second))
    let epoch = machine.cameraEpoch
    #expect(after(.pauseCamera(second)) == [.deliverCamera(first, .interruptionEnded)])
    #expect(machine.cameraOwner == first)
    #expect(machine.cameraEpoch > epoch)
    #expect(after(.pauseCamera(second)) == [])
    #expect(after(.pauseCamera(first)) == [])
    #expect(!machine.isCameraRunning)
  }

  @Test("Running again continues the tracking unless a reset is requested")
  mutating func runsAgain() {
    _ = after(.setCameraPermission(.allowed), run(first))
    let epoch = machine.cameraEpoch
    #expect(after(run(first)) == [])
    #expect(machine.cameraEpoch == epoch)
    #expect(after(.runCamera(first, wantsFrames: false, resets: true)) == [])
    #expect(machine.cameraEpoch == epoch + 1)
    #expect(!machine.wantsCameraFrames)
  }

  @Test("In the background the camera has no user; a session that runs is interrupted")
  mutating func background() {
    _ = after(.setCameraPermission(.allowed), run(first))
    #expect(after(.enterBackground) == [.deliverCamera(first, .interrupted)])
    #expect(machine.cameraOwner == nil)
    #expect(after(run(second)) == [.deliverCamera(second, .interrupted)])
    #expect(after(.enterForeground) == [.deliverCamera(second, .interruptionEnded)])
    #expect(machine.cameraOwner == second)
  }

  @Test("\"Allow once\" ends with the next launch")
  mutating func allowedOnce() {
    _ = after(run(first), .answerCameraPermission(.allowedOnce))
    #expect(machine.isCameraRunning)
    _ = after(.relaunch)
    #expect(!machine.isCameraRunning)
    #expect(after(run(first)) == [.askCameraPermission])
  }

  @Test("Frames reach only the camera's user")
  mutating func frames() {
    let frame = CameraFrame(time: .zero, pose: DevicePose(positionInWorld: .zero))
    machine.received(frame, notifiesOwner: true, at: .zero)
    #expect(after() == [])
    _ = after(.setCameraPermission(.allowed), run(first))
    machine.received(frame, notifiesOwner: true, at: .zero)
    machine.received(frame, notifiesOwner: false, at: .zero)
    #expect(after() == [.deliverCamera(first, .frame(frame))])
    #expect(machine.cameraFrame == frame)
  }
}
