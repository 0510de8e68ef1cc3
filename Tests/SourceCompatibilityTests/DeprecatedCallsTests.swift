import CoreBluetooth
import CoreLocation
import NearbyTesting
import Testing

@Suite("Calls that Apple has deprecated and apps still use")
struct DeprecatedCallsTests {
  @available(*, deprecated)
  @Test("The peripheral manager's own authorization follows the user's answer")
  func peripheralAuthorization() {
    let phone = World(seed: 3).addPhone("Ann")
    phone.setBluetoothAnswer(nil)
    let status = { phone.launch { CBPeripheralManager.authorizationStatus() } }
    #expect(status() == CBPeripheralManagerAuthorizationStatus.notDetermined)
    phone.changeBluetoothPermission(to: .deny)
    #expect(status() == .denied)
    phone.changeBluetoothPermission(to: .allow)
    #expect(status() == .authorized)
    #expect(CBPeripheralManagerAuthorizationStatus(rawValue: 1) == .restricted)
    switch status() {
    case .authorized: break
    case .denied, .restricted, .notDetermined: Issue.record("allowed")
    @unknown default: Issue.record("unknown")
    }
  }

  @available(*, deprecated)
  @Test("Location updates cannot be deferred: the delegate hears so once per request, not during the call")
  func deferredUpdates() {
    let world = World(seed: 1, drainsMainQueue: false)
    let app = world.addPhone("Ann").launch { DeferringApp() }
    #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
    app.manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 60)
    #expect(app.codes.isEmpty)
    world.advance(by: .seconds(1))
    #expect(app.codes == [.deferredFailed])
    app.manager.disallowDeferredLocationUpdates()
    world.advance(by: .seconds(1))
    #expect(app.codes == [.deferredFailed])
  }
}

@available(*, deprecated)
private final class DeferringApp: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let manager = CLLocationManager()
  private(set) var codes: [CLError.Code] = []

  override init() {
    super.init()
    manager.delegate = self
  }

  func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: Error?) {
    if let error = error as? CLError { codes.append(error.code) }
  }
}
