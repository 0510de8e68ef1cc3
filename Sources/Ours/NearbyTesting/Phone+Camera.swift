import NearbyDevice
import NearbyDeviceMachine
import NearbySimulated
import NearbySimulator

extension Phone {
  /// Sets the light in front of the camera in lumens: 1000 is well lit, and below 100 tracking sees nothing.
  public func setLight(_ lumens: Double) {
    let light = lumens.isFinite ? min(2000, max(0, lumens)) : 0
    shell.setCameraSurroundings { $0.light = light }
  }

  /// Shows the camera a scene without features, such as a blank wall, so that tracking loses its position.
  public func loseTracking() { shell.setCameraSurroundings { $0.isFeatureless = true } }

  /// Shows the camera a normal scene again. Its world lacks the movement in between.
  public func regainTracking() {
    shell.setCameraSurroundings { $0.isFeatureless = false }
  }

  /// Sets how the user answers requests for the camera from now on; with `nil` a request stays open until
  /// `answerCamera`.
  public func setCameraAnswer(_ answer: PermissionAnswer?) {
    shell.setCameraAnswer(answer?.permission)
  }

  /// Answers the open request for the camera.
  public func answerCamera(_ answer: PermissionAnswer) {
    device.camera.post(.answerCameraPermission(answer.permission))
  }

  /// Changes the permission for the camera as the user would in Settings.
  public func changeCameraPermission(to answer: PermissionAnswer) {
    device.camera.post(.setCameraPermission(answer.permission))
  }

  /// Sets the app's `NSCameraUsageDescription`; without one the camera is not authorised.
  public func setCameraUsageDescription(_ text: String?) {
    shell.withMachine { $0.setCameraUsageDescription(text) }
  }
}
