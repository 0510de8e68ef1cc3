/// A program or file that gives a live device's pose, like a camera tracker.
package protocol PoseSource: AnyObject, Sendable {
  /// Starts. Frames come on a thread of the source's own, in order; the recipient sets their time.
  func start(onFrame: @escaping @Sendable (CameraFrame) -> Void)
  /// Stops for good.
  func close()
}
