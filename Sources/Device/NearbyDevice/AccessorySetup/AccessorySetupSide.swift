import NearbyAccessorySetup
import NearbyDeviceMachine

/// Receives the events of one session with the accessory set-up, on the device's own thread.
package protocol SetupSink: AnyObject, Sendable {
  func received(_ event: SetupEvent)
}

/// The accessories that a device's user sets up for the app.
///
/// What a call asks for and what it causes are executed later, in the order of the machine's actions, never inside
/// the call.
package protocol AccessorySetupSide: Sendable {
  /// Makes a user; the sink is not kept alive.
  func makeUser(_ sink: any SetupSink) -> SetupUser
  /// The user is gone: its sink receives nothing more.
  func release(_ user: SetupUser)
  /// Changes the machine.
  func perform(_ body: (inout AccessorySetupMachine) -> Void)
  /// Makes a request; `answer` is called once, on the device's own thread.
  func request(
    _ body: (inout AccessorySetupMachine) -> SetupRequest,
    answer: @escaping @Sendable (SetupFailure?) -> Void)
  /// In the order in which they were set up.
  var accessories: [SetUpAccessory] { get }
}
