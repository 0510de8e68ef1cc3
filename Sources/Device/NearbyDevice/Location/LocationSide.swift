import NearbyDeviceMachine

/// A device's location for one launch of its app: regions, beacon ranging and the permission for them.
///
/// The device's own machine has the state, and its shell drives it: what a call asks for and what it causes are
/// executed later, in the order of the machine's actions, never inside the call. After the launch has ended the
/// calls of its code have no effect.
package protocol LocationSide: Sendable {
  /// Seconds since 1970 at the device's time zero.
  var dateAtZero: Double { get }
  /// Makes a user; the sink is not kept alive. Its first event comes later, never inside the call.
  func makeUser(_ sink: any LocationSink, role: LocationRole) -> LocationUser
  /// The user is gone: its sink receives nothing more.
  func release(_ user: LocationUser)
  /// Changes the machine at the device's time.
  @discardableResult
  func perform<Result: Sendable>(_ body: (inout LocationMachine, Duration) -> Result) -> Result
  /// Reads the machine.
  func read<Result: Sendable>(_ body: (LocationMachine) -> Result) -> Result
}
