import NearbyAccessorySetup
import NearbyConcurrency

/// Receives the events of one session with the accessory set-up, on the device's own thread.
package protocol SetupSink: AnyObject, Sendable {
  func received(_ event: SetupEvent)
}

/// The accessories that a device's user sets up for the app.
///
/// What a call asks for and what it causes are executed later, in the order of the machine's actions, never inside
/// the call.
package protocol AccessorySetupSide: Sendable {
  /// Changes the state under the shell's lock, and schedules the execution of the machine's actions.
  func change<Result: Sendable>(_ body: (inout SetupState) -> Result) -> Result
  /// In the order in which they were set up.
  var accessories: [SetUpAccessory] { get }
}

extension AccessorySetupSide {
  /// Makes a user; the sink is not kept alive.
  package func makeUser(_ sink: any SetupSink) -> SetupUser {
    let sink = WeakBox<any SetupSink> { [weak sink] in sink }
    return change { state in
      let user = state.machine.makeUser()
      state.recipients.add(sink, for: user)
      return user
    }
  }

  /// The user is gone: its sink receives nothing more.
  package func release(_ user: SetupUser) {
    change { state in
      state.recipients.remove(user)
      state.machine.release(user)
    }
  }

  /// Changes the machine.
  package func perform(_ body: (inout AccessorySetupMachine) -> Void) { change { body(&$0.machine) } }

  /// Makes a request; `answer` is called once, on the device's own thread.
  package func request(
    _ body: (inout AccessorySetupMachine) -> SetupRequest,
    answer: @escaping @Sendable (SetupFailure?) -> Void
  ) {
    change { $0.recipients.add(answer, for: body(&$0.machine)) }
  }
}

/// The machine of a device's accessory set-up with its recipients, as a shell stores it.
package struct SetupState: Sendable {
  package var machine: AccessorySetupMachine
  package var recipients = SetupRecipients()

  package init(_ machine: AccessorySetupMachine = AccessorySetupMachine()) { self.machine = machine }
}

/// The sinks of sessions, and the handlers of requests that are not answered yet.
package struct SetupRecipients: Sendable {
  private var sinks: [SetupUser: WeakBox<any SetupSink>] = [:]
  private var requests: [SetupRequest: @Sendable (SetupFailure?) -> Void] = [:]

  package init() {}

  mutating func add(_ sink: WeakBox<any SetupSink>, for user: SetupUser) { sinks[user] = sink }
  mutating func remove(_ user: SetupUser) { sinks[user] = nil }
  mutating func add(_ answer: @escaping @Sendable (SetupFailure?) -> Void, for request: SetupRequest) {
    requests[request] = answer
  }

  /// The sink of a session; `nil` if the app has released it.
  package func sink(of user: SetupUser) -> (any SetupSink)? { sinks[user]?.object }

  /// The handler of a request, which is removed.
  package mutating func takeHandler(of request: SetupRequest) -> (@Sendable (SetupFailure?) -> Void)? {
    requests.removeValue(forKey: request)
  }
}
