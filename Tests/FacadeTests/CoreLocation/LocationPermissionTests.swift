import CoreLocation
import NearbyTesting
import Testing

@Suite("Location permission")
struct LocationPermissionTests {
  @Test("A new manager is notified of its authorization before anything is requested")
  func first() {
    let hall = BeaconHall(access: .ask)
    hall.world.advance(by: .seconds(1))
    #expect(hall.app.history == ["authorization notDetermined"])
  }

  @Test("Ranging begins when the user answers the when-in-use question")
  func whenInUse() {
    let hall = BeaconHall(access: .ask)
    hall.phone.setLocationAnswer(nil)
    hall.range()
    hall.app.manager.requestWhenInUseAuthorization()
    hall.world.advance(by: .seconds(5))
    #expect(hall.app.history == ["authorization notDetermined"])
    #expect(hall.app.reports.isEmpty)
    hall.phone.answerLocation(.allow)
    hall.world.advance(by: .seconds(3))
    #expect(hall.app.history == ["authorization notDetermined", "authorization authorizedWhenInUse"])
    #expect(hall.app.reports.count >= 2)
  }

  @Test("Always needs two questions, and the second is asked once")
  func always() {
    let hall = BeaconHall(access: .ask)
    hall.app.manager.requestAlwaysAuthorization()
    hall.world.advance(by: .seconds(1))
    #expect(
      hall.app.history == [
        "authorization notDetermined", "authorization authorizedWhenInUse", "authorization authorizedAlways",
      ])
    let other = BeaconHall(access: .ask)
    other.phone.setLocationAnswer(nil)
    other.app.manager.requestAlwaysAuthorization()
    other.world.advance(by: .seconds(1))
    other.phone.answerLocation(.allow)
    other.world.advance(by: .seconds(1))
    other.phone.answerLocation(.deny)
    other.world.advance(by: .seconds(1))
    #expect(other.app.manager.authorizationStatus == .authorizedWhenInUse)
    other.phone.setLocationAnswer(.allow)
    other.app.manager.requestAlwaysAuthorization()
    other.world.advance(by: .seconds(1))
    #expect(other.app.manager.authorizationStatus == .authorizedWhenInUse)
  }

  @Test(
    "Without the usage description that a request needs, the user is not asked",
    arguments: [(false, true, false), (false, false, true), (true, false, true)])
  func descriptions(whenInUse: Bool, always: Bool, asksAlways: Bool) {
    let hall = BeaconHall(access: .ask)
    hall.phone.setLocationUsageDescriptions(whenInUse: whenInUse, always: always)
    if asksAlways {
      hall.app.manager.requestAlwaysAuthorization()
    } else {
      hall.app.manager.requestWhenInUseAuthorization()
    }
    hall.world.advance(by: .seconds(2))
    #expect(hall.app.history == ["authorization notDetermined"])
  }

  @Test("After a refusal the user is not asked again, and ranging and monitoring fail")
  func denied() {
    let hall = BeaconHall(access: .ask)
    hall.phone.setLocationAnswer(.deny)
    hall.app.manager.requestWhenInUseAuthorization()
    hall.world.advance(by: .seconds(1))
    hall.phone.setLocationAnswer(.allow)
    hall.app.manager.requestWhenInUseAuthorization()
    hall.range()
    hall.monitor()
    hall.app.manager.startUpdatingLocation()
    hall.world.advance(by: .seconds(2))
    #expect(
      hall.app.history == [
        "authorization notDetermined", "authorization denied", "ranging failed denied",
        "monitoring failed hall regionMonitoringDenied", "failed denied",
      ])
    #expect(hall.app.manager.monitoredRegions.isEmpty)
  }

  @Test("Allow once ends with the app")
  func once() {
    let hall = BeaconHall(access: .ask)
    hall.phone.setLocationAnswer(.allowOnce)
    hall.app.manager.requestWhenInUseAuthorization()
    hall.world.advance(by: .seconds(1))
    #expect(hall.app.manager.authorizationStatus == .authorizedWhenInUse)
    hall.phone.relaunch()
    let next = hall.phone.launch { BeaconApp() }
    hall.world.advance(by: .seconds(1))
    #expect(next.history == ["authorization notDetermined"])
  }

  @Test("A change in Settings is reported, and ranging stops and resumes with it")
  func settings() {
    let hall = BeaconHall()
    hall.range()
    hall.monitor()
    hall.world.advance(by: .seconds(3))
    hall.app.forget()
    hall.phone.changeLocationAccess(to: .never)
    hall.world.advance(by: .seconds(3))
    #expect(
      hall.app.history == [
        "authorization denied", "monitoring failed hall regionMonitoringDenied", "ranging failed denied",
      ])
    #expect(hall.app.reports.isEmpty)
    hall.phone.changeLocationAccess(to: .whenInUse)
    hall.world.advance(by: .seconds(5))
    #expect(hall.app.history.last == "authorization authorizedWhenInUse")
    #expect(hall.app.reports.last?.beacons.count == 1)
  }

  @Test("Only with always are regions monitored in the background")
  func background() {
    for access in [LocationAccess.whenInUse, .always] {
      let hall = BeaconHall(access: access)
      hall.monitor()
      hall.world.advance(by: .seconds(3))
      hall.app.forget()
      hall.phone.suspend()
      hall.beacon.switchOff()
      hall.world.advance(by: .seconds(100))
      #expect(hall.app.history.contains("left hall") == (access == .always))
    }
  }

  @Test("With reduced accuracy ranging and monitoring fail; temporary full accuracy resumes ranging")
  func reduced() {
    let hall = BeaconHall()
    hall.phone.setPreciseLocation(false)
    hall.range()
    hall.monitor()
    hall.world.advance(by: .seconds(3))
    #expect(hall.app.manager.accuracyAuthorization == .reducedAccuracy)
    #expect(hall.app.history.contains("ranging failed rangingUnavailable"))
    #expect(hall.app.history.contains("monitoring failed hall regionMonitoringFailure"))
    #expect(hall.app.reports.isEmpty)
    final class Answer: @unchecked Sendable { var codes: [CLError.Code?] = [] }
    let answer = Answer()
    hall.phone.setLocationAnswer(.deny)
    hall.app.manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Hunt") {
      answer.codes.append(($0 as? CLError)?.code)
    }
    hall.world.advance(by: .seconds(1))
    hall.phone.setLocationAnswer(.allow)
    hall.app.manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Hunt") {
      answer.codes.append(($0 as? CLError)?.code)
    }
    hall.world.advance(by: .seconds(5))
    #expect(answer.codes == [.promptDeclined, nil])
    #expect(hall.app.manager.accuracyAuthorization == .fullAccuracy)
    #expect(hall.app.reports.last?.beacons.count == 1)
    hall.phone.relaunch()
    let next = hall.phone.launch { BeaconApp() }
    #expect(next.manager.accuracyAuthorization == .reducedAccuracy)
  }

  @Test("With location services off the authorization is denied")
  func servicesOff() {
    let hall = BeaconHall()
    hall.phone.launch { #expect(CLLocationManager.locationServicesEnabled()) }
    hall.range()
    hall.world.advance(by: .seconds(2))
    hall.phone.setLocationServices(isOn: false)
    hall.world.advance(by: .seconds(2))
    hall.phone.launch { #expect(!CLLocationManager.locationServicesEnabled()) }
    #expect(hall.app.history.suffix(2) == ["authorization denied", "ranging failed denied"])
    hall.phone.setLocationServices(isOn: true)
    hall.world.advance(by: .seconds(2))
    #expect(hall.app.history.last == "authorization authorizedAlways")
  }

  @Test("The device's location and heading are unknown")
  func location() {
    let hall = BeaconHall()
    hall.app.manager.requestLocation()
    hall.app.manager.startUpdatingHeading()
    hall.world.advance(by: .seconds(1))
    #expect(hall.app.history.suffix(2) == ["failed locationUnknown", "failed headingFailure"])
    #expect(hall.app.manager.location == nil)
    #expect(hall.app.manager.heading == nil)
  }

  @Test("Each phone has its own authorization")
  func twoPhones() {
    let hall = BeaconHall()
    let ben = hall.world.addPhone("Ben", at: [1, 0, 1.2])
    ben.setLocationAnswer(.deny)
    let other = ben.launch { BeaconApp() }
    other.manager.requestWhenInUseAuthorization()
    hall.world.advance(by: .seconds(1))
    #expect(other.history == ["authorization notDetermined", "authorization denied"])
    #expect(hall.app.manager.authorizationStatus == .authorizedAlways)
  }
}
