import NearbyAccessorySetup

/// Asks a device's user about accessories.
package protocol SetupPerson: Sendable {
  /// Asks this in place of what was asked before; `nil` if there is nothing to ask any more.
  ///
  /// - Parameter reply: Called at most once, from any thread.
  func ask(_ question: SetupQuestion?, reply: @escaping @Sendable (SetupReply) -> Void)
}
