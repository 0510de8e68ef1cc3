import NearbyDevice
import NearbyDeviceMachine
import NearbySimulated
import NearbySimulator

extension Phone {
  /// The light in front of the camera, lumens: 1000 is well lit, under 100 tracking sees nothing.
  public func setLight(_ lumens: Double) {
    let light = lumens.isFinite ? min(2000, max(0, lumens)) : 0
    shell.setCameraSurroundings { $0.light = light }
  }

  /// The camera sees nothing to hold on to, as before a blank wall: it no longer knows where it goes.
  public func loseTracking() { shell.setCameraSurroundings { $0.isFeatureless = true } }

  /// The camera sees again. The way it went meanwhile is missing from its world.
  public func regainTracking() {
    shell.setCameraSurroundings { $0.isFeatureless = false }
  }

  /// How the user answers when asked for the camera from now on; with `nil` the question stays open until
  /// `answerCamera`.
  public func setCameraAnswer(_ answer: PermissionAnswer?) {
    shell.setCameraAnswer(answer?.permission)
  }

  /// Answers the question for the camera that is open.
  public func answerCamera(_ answer: PermissionAnswer) {
    device.camera.post(.answerCameraPermission(answer.permission))
  }

  /// The user changes the answer for the camera in Settings.
  public func changeCameraPermission(to answer: PermissionAnswer) {
    device.camera.post(.setCameraPermission(answer.permission))
  }

  /// The app's `NSCameraUsageDescription`; without one nothing has the camera.
  public func setCameraUsageDescription(_ text: String?) {
    shell.withMachine { $0.setCameraUsageDescription(text) }
  }
}
