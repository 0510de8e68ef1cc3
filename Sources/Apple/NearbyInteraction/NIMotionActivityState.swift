/// Whether an accessory is moving, as far as the app knows.
public enum NIMotionActivityState: Int, Sendable {
  /// Not known.
  case unknown = 0
  /// The accessory is at rest.
  case stationary = 1
  /// The accessory is moving.
  case moving = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}
