extension ARSession {
  /// Data for other devices that track the same world. Never created here.
  public final class CollaborationData: NSObject, Sendable {
    /// How important the data is to other devices.
    public enum Priority: Int, Sendable {
      /// Other devices need the data.
      case critical = 0
      /// The data is helpful but not necessary.
      case optional = 1
      /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
      @available(*, unavailable, message: "No value has this case.")
      case _unlisted
    }
    /// How important the data is to other devices.
    public let priority: Priority

    init(priority: Priority) {
      self.priority = priority
      super.init()
    }
  }
}
