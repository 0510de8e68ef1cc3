/// A live device's time, and its thread for events from outside.
package struct LiveTurns: Sendable {
  private weak let driver: LiveDriver?
  private let clock: any DeviceClock

  init(driver: LiveDriver) {
    self.driver = driver
    clock = driver.clock
  }

  var now: Duration { clock.now() }

  /// Runs `body` on the device's thread, in order; not at all once the device is gone.
  func deliver(_ body: @escaping @Sendable () -> Void) { driver?.later(body) }
}
