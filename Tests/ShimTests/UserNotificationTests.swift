import NearbyTesting
import Testing
import UserNotifications

@Suite("User notifications")
struct UserNotificationTests {
  private func request(_ name: String, _ trigger: UNNotificationTrigger? = nil) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = "Room \(name)"
    defer { content.title = "changed later" }
    return UNNotificationRequest(identifier: name, content: content, trigger: trigger)
  }

  private func delivered(_ center: UNUserNotificationCenter) async -> [String] {
    await center.deliveredNotifications().map(\.request.content.title)
  }

  @Test(
    "In the background, notifications are delivered only after authorization was requested",
    .timeLimit(.minutes(1)))
  func behind() async throws {
    let world = World(seed: 1)
    let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben"))
    let center = ann.launch { UNUserNotificationCenter.current() }
    #expect(center === ann.launch { UNUserNotificationCenter.current() })
    #expect(center !== ben.launch { UNUserNotificationCenter.current() })
    #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
    ann.suspend()
    await world.advance(by: .seconds(1))
    ann.launch { center.add(request("unasked")) }
    await world.advance(by: .seconds(1))
    #expect(await delivered(center) == [])

    #expect(try await center.requestAuthorization(options: [.alert]))
    #expect(await center.notificationSettings().alertSetting == .enabled)
    #expect(await center.notificationSettings().soundSetting == .disabled)
    ann.launch { center.add(request("1")) }
    await world.advance(by: .seconds(1))
    #expect(await delivered(center) == ["Room 1"])
  }

  @Test(
    "A scheduled notification is delivered at its time on the device's clock, unless it was removed",
    .timeLimit(.minutes(1)))
  func times() async throws {
    let world = World(seed: 2)
    let ann = world.addPhone("Ann")
    let center = ann.launch { UNUserNotificationCenter.current() }
    try await center.requestAuthorization(options: [.alert])
    ann.suspend()
    ann.launch {
      for (name, seconds) in [("late", 60.0), ("gone", 5), ("soon", 5)] {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        center.add(request(name, trigger))
      }
      let three = UNCalendarNotificationTrigger(dateMatching: .init(hour: 3), repeats: false)
      center.add(request("never", three))
    }
    center.removePendingNotificationRequests(withIdentifiers: ["gone"])
    await world.advance(by: .seconds(4))
    #expect(await delivered(center) == [])
    await world.advance(by: .seconds(2))
    #expect(await delivered(center) == ["Room soon"])
    #expect(await center.pendingNotificationRequests().map(\.identifier) == ["late", "never"])
    await world.advance(by: .seconds(60))
    #expect(await delivered(center) == ["Room soon", "Room late"])
  }

  @Test("In the foreground, the delegate decides whether a notification is shown", .timeLimit(.minutes(1)))
  func inFront() async throws {
    let world = World(seed: 3)
    let ann = world.addPhone("Ann")
    let center = ann.launch { UNUserNotificationCenter.current() }
    try await center.requestAuthorization(options: [.alert])
    ann.launch { center.add(request("nobody")) }
    await world.advance(by: .seconds(1))
    let judge = Judge()
    center.delegate = judge
    ann.launch {
      center.add(request("shown"))
      center.add(request("hidden"))
    }
    await world.advance(by: .seconds(1))
    #expect(judge.asked == ["nobody", "shown", "hidden"].suffix(2))
    #expect(await delivered(center) == ["Room shown"])
  }
}

/// An app that shows only notifications with the identifier "shown".
private final class Judge: NSObject, UNUserNotificationCenterDelegate {
  var asked: [String] = []
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    asked.append(notification.request.identifier)
    completionHandler(notification.request.identifier == "shown" ? [.banner, .list] : [.sound])
  }
}
