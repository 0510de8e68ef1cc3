/// The user's answer to an app's request, for nearby interaction or for the camera.
package enum Permission: String, Hashable, Sendable, Codable {
  case notDetermined
  case allowed
  /// Until the app is launched again.
  case allowedOnce
  case denied

  package var isGranted: Bool { self == .allowed || self == .allowedOnce }
}
