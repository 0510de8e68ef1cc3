/// A live device's time and thread, for sources of events.
package struct LiveTurns: Sendable {
  private let clock: any DeviceClock
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter run: Runs its argument on the device's thread, in FIFO order; does nothing once the device is gone.
  init(clock: any DeviceClock, run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.clock = clock
    self.run = run
  }

  var now: Duration { clock.now() }

  /// Runs `body` on the device's thread, in FIFO order; does nothing once the device is gone.
  func deliver(_ body: @escaping @Sendable () -> Void) { run(body) }
}
