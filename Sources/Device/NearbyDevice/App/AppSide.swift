import Dispatch
import NearbyDeviceMachine

/// The system as a device's app sees it: time, queues, the app's life cycle, and the device's user.
package protocol AppSide: CommandSide {
  /// The device's time.
  var now: Duration { get }
  /// Whether time stands still while an app's code runs, so that this code must not wait for the network.
  var isVirtual: Bool { get }
  /// Runs `body` on the device's own thread after the caller has returned.
  func later(_ body: @escaping @Sendable () -> Void)
  /// Like `later`, after a delay in the device's time.
  func later(after delay: Duration, _ body: @escaping @Sendable () -> Void)
  /// Runs `body` on the device's own thread at this time of the device, or soon after.
  func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void)
  /// Runs an app's code on its queue, preserving the order of the calls; `nil` means the main queue.
  func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
  /// The same for a queue that the library created, where the device may run blocks on another thread.
  func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void)
  /// Whether the app is in the foreground.
  var life: AppLife { get }
  /// Asks the device's user a question, and returns at once.
  func ask(_ question: PersonQuestion)
}

extension AppSide {
  package var isVirtual: Bool { false }
  package func ask(_ question: PersonQuestion) { TerminalQuestions.shared.ask(question) }
}
