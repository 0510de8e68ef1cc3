// An app that notifies its user of beacons, and other API that such apps use.
import CoreGraphics
import CoreLocation.CLRegion
import UserNotifications
import os.signpost

/// Notifies the user of rooms.
@Observable
final class NotifyingBeacons: NSObject, CLLocationManagerDelegate, UNUserNotificationCenterDelegate {
  var place: CLPlacemark?
  var corner = CGPoint(x: 1, y: 2)
  var heading = CGVector(dx: 0, dy: 1)
  @ObservationIgnored let manager = CLLocationManager()
  @ObservationIgnored let log = OSLog(subsystem: "com.example.rooms", category: .pointsOfInterest)

  func start() async throws {
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else { return }
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.startMonitoringSignificantLocationChanges()
    manager.startMonitoring(
      for: CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 50, identifier: "house"))
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    os_signpost(.event, log: log, name: "entered", "%{public}s", region.identifier)
    let content = UNMutableNotificationContent()
    content.title = region.identifier
    content.sound = .default
    content.interruptionLevel = .active
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 1, repeats: false)
    UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
    ) { error in
      if let error = error { print(error.localizedDescription) }
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    CLGeocoder().reverseGeocodeLocation(location) { placemarks, _ in self.place = placemarks?.first }
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { print(visit.arrivalDate) }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .sound] }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    if response.actionIdentifier == UNNotificationDefaultActionIdentifier { completionHandler() }
  }
}
