/// A program or file that says where a live device is, as a camera tracker would.
package protocol PoseSource: AnyObject, Sendable {
  /// Begins. Frames come on a thread of the source's own, in order; their time is set by who takes them.
  func start(onFrame: @escaping @Sendable (CameraFrame) -> Void)
  /// Ends for good.
  func close()
}
