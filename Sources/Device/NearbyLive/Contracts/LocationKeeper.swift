import NearbyDeviceMachine

/// Stores an app's regions and its user's answers between its launches, and asks the user.
package protocol LocationKeeper: Sendable {
  func store(_ stored: StoredLocation)
  func store(_ permission: LocationPermission)
  /// - Parameter answer: Called from any thread, at any time or never.
  func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void)
  func notice(_ text: String)
}
