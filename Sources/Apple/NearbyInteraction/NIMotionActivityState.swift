/// Whether an accessory moves, as far as the app knows.
public enum NIMotionActivityState: Int, Sendable {
  /// Not known.
  case unknown = 0
  /// It stands still.
  case stationary = 1
  /// It moves.
  case moving = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

extension NISession {
  /// Says whether an accessory moves. The estimates here find out by themselves: it changes nothing.
  public func updateMotionState(
    _ motionState: NIMotionActivityState, forObjectWithToken token: NIDiscoveryToken
  ) {}
}
