import Dispatch
import NearbyDeviceMachine

/// The app on a device as the system sees it: its time, its queue, its life cycle, the person who uses it.
package protocol AppSide: CommandSide {
  /// The device's time.
  var now: Duration { get }
  /// Whether time stands still while an app's code runs, so that code must not wait for the network.
  var isVirtual: Bool { get }
  /// Runs `body` on the device's own thread after the caller has returned, never inside the call.
  func later(_ body: @escaping @Sendable () -> Void)
  /// As `later`, once this much of the device's time has passed.
  func later(after delay: Duration, _ body: @escaping @Sendable () -> Void)
  /// Runs an app's code on its queue, `nil` meaning the main queue, keeping the order of the calls.
  func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
  /// As on an app's own queue, on one that the library made: there the device may run blocks on another thread.
  func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void)
  /// Whether the app is in the foreground.
  var life: AppLife { get }
  /// Asks the person at the device, and returns at once.
  func ask(_ question: PersonQuestion)
}

extension AppSide {
  package var isVirtual: Bool { false }
  package func ask(_ question: PersonQuestion) { TerminalQuestions.shared.ask(question) }
}
