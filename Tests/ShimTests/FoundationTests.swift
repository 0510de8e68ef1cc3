import CoreLocation
import NearbyTesting
import Testing
import os

@Suite("Additions to Foundation, os and CoreLocation")
struct FoundationTests {
  @Test("An object's lock is recursive, and unlocking it too often fails")
  func locks() {
    let object = NSObject()
    #expect(objc_sync_exit(object) == -1)
    objc_sync_enter(object)
    objc_sync_enter(object)
    #expect(objc_sync_exit(object) == 0)
    #expect(objc_sync_exit(object) == 0)
    #expect(objc_sync_exit(object) == -1)
    #expect(autoreleasepool { 3 } == 3)
  }

  @Test("Core Foundation's clock counts from Date's reference date, and the media clock is positive")
  func times() {
    let before = Date().timeIntervalSinceReferenceDate
    let now = CFAbsoluteTimeGetCurrent()
    #expect(now >= before)
    #expect(CACurrentMediaTime() > 0)
  }

  @Test(
    "An async sequence delivers notifications posted since it was created, in order",
    .timeLimit(.minutes(1)))
  func sequence() async {
    let center = NotificationCenter()
    let name = Notification.Name("moved")
    let notifications = center.notifications(named: name)
    for number in 1...3 { center.post(name: name, object: nil, userInfo: ["number": number]) }
    var numbers: [Int] = []
    for await notification in notifications {
      numbers.append(notification.userInfo?["number"] as? Int ?? 0)
      if numbers.count == 3 { break }
    }
    #expect(numbers == [1, 2, 3])
  }

  @Test("Unfair locks have one owner at a time")
  func unfairLock() {
    var lock = os_unfair_lock()
    os_unfair_lock_lock(&lock)
    #expect(!os_unfair_lock_trylock(&lock))
    os_unfair_lock_unlock(&lock)
    #expect(os_unfair_lock_trylock(&lock))
    os_unfair_lock_unlock(&lock)
    let guarded = OSAllocatedUnfairLock(initialState: 1)
    #expect(guarded.withLockIfAvailable { $0 + 1 } == 2)
    let plain = OSAllocatedUnfairLock()
    #expect(plain.lockIfAvailable())
    #expect(!plain.lockIfAvailable())
    plain.unlock()
  }

  @Test("Signpost identifiers are equal for the same object and differ for others")
  func signposts() {
    let log = OSLog(subsystem: "com.example", category: "spans")
    let (one, other) = (NSObject(), NSObject())
    #expect(OSSignpostID(log: log, object: one) == OSSignpostID(log: log, object: one))
    #expect(OSSignpostID(log: log, object: one) != OSSignpostID(log: log, object: other))
    os_signpost(.begin, log: log, name: "ranging", signpostID: OSSignpostID(log: log), "%d peers", 3)
    os_signpost(.event, log: log, name: "found", "%@", one)
  }

  @Test("Reverse geocoding fails with a network error, because there is no map", .timeLimit(.minutes(1)))
  func places() async throws {
    let here = CLLocation(latitude: 52.5, longitude: 13.4)
    await #expect(throws: CLError.self) { try await CLGeocoder().reverseGeocodeLocation(here) }
    let world = World(seed: 1)
    let answer: Answer = world.addPhone("Ann").launch {
      let answer = Answer()
      CLGeocoder().reverseGeocodeLocation(here) { placemarks, error in
        answer.text = "\(placemarks?.count ?? 0) \((error as? CLError)?.code == .network)"
      }
      return answer
    }
    #expect(answer.text == nil)
    await world.advance(by: .seconds(1))
    #expect(answer.text == "0 true")
  }

  @Test("A circular region contains points within its radius, can be archived, and cannot be monitored")
  func circles() throws {
    let circle = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), radius: 100, identifier: "home")
    #expect(circle.contains(CLLocationCoordinate2D(latitude: 52.5005, longitude: 13.4)))
    #expect(!circle.contains(CLLocationCoordinate2D(latitude: 52.502, longitude: 13.4)))
    let data = try NSKeyedArchiver.archivedData(withRootObject: circle, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: data)
    #expect(read?.radius == 100)
    #expect(read?.identifier == "home")
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
  }

  @Test("Live location updates report that the location is unavailable", .timeLimit(.minutes(1)))
  func updates() async throws {
    let world = World(seed: 1)
    let ann = world.addPhone("Ann")
    ann.changeLocationAccess(to: .always)
    var updates = ann.launch { CLLocationUpdate.liveUpdates().makeAsyncIterator() }
    let first = try await updates.next()
    #expect(first?.location == nil)
    #expect(first?.locationUnavailable == true)
  }

  /// What a handler received.
  private final class Answer: @unchecked Sendable {
    // Written on the main queue while the world runs.
    var text: String?
  }
}
