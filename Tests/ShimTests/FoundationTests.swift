import CoreLocation
import NearbyTesting
import Testing
import os

@Suite("What Apple's Foundation and os have beside")
struct FoundationTests {
  @Test("An object's lock is taken again by who has it, and let go as often")
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

  @Test("Times of Core Foundation are those of Foundation")
  func times() {
    let before = Date().timeIntervalSinceReferenceDate
    let now = CFAbsoluteTimeGetCurrent()
    #expect(now >= before)
    #expect(CACurrentMediaTime() > 0)
  }

  @Test(
    "Notifications come as a sequence, from when it is made until nobody wants it",
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

  @Test("A lock in the app's memory is had by one at a time")
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

  @Test("Spans of one object have one identifier, and others another")
  func signposts() {
    let log = OSLog(subsystem: "com.example", category: "spans")
    let (one, other) = (NSObject(), NSObject())
    #expect(OSSignpostID(log: log, object: one) == OSSignpostID(log: log, object: one))
    #expect(OSSignpostID(log: log, object: one) != OSSignpostID(log: log, object: other))
    os_signpost(.begin, log: log, name: "ranging", signpostID: OSSignpostID(log: log), "%d peers", 3)
    os_signpost(.event, log: log, name: "found", "%@", one)
  }

  @Test("No place has a name: each question fails for want of a map", .timeLimit(.minutes(1)))
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

  @Test("A circle contains what is near its middle, and is read back from an archive")
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

  @Test("Updates of where the device is say once that it is not known", .timeLimit(.minutes(1)))
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
