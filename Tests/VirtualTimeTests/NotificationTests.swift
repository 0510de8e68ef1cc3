import Foundation
import NearbyTesting
import Testing
import UIKit

@Suite("Notification centres by phone")
struct NotificationTests {
  @Test("An app's observers are notified of its own phone's posts and life cycle only")
  @MainActor func ownPhone() async {
    let scene = Scene()
    let log = scene.logPhone
    let name = Notification.Name("hello")
    for phone in [scene.phone, scene.other] {
      phone.launch {
        for observed in [UIApplication.didEnterBackgroundNotification, name] {
          _ = NotificationCenter.default.addObserver(forName: observed, object: nil, queue: nil) { _ in
            log("\(phone.name): \(observed.rawValue)")
          }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
          NotificationCenter.default.post(name: name, object: nil)
        }
      }
    }
    scene.phone.suspend()
    await scene.world.advance(by: .seconds(3))
    #expect(
      scene.textsWithoutTime == [
        "Ann Ann: UIApplicationDidEnterBackgroundNotification", "Ann Ann: hello", "Ben Ben: hello",
      ])
  }

  @Test("A test's observers outside the phones are notified of every phone's life cycle")
  @MainActor func outside() async {
    let scene = Scene()
    let log = scene.logPhone
    let applications = [scene.phone, scene.other].map { $0.launch { UIApplication.shared } }
    let ties = applications.enumerated().map { index, application in
      NotificationCenter.default.addObserver(
        forName: UIApplication.willResignActiveNotification, object: application, queue: nil
      ) { _ in log("\(index)") }
    }
    scene.phone.suspend()
    await scene.world.advance(by: .seconds(1))
    scene.other.suspend()
    await scene.world.advance(by: .seconds(1))
    #expect(scene.textsWithoutTime == ["nobody 0", "nobody 1"])
    ties.forEach(NotificationCenter.default.removeObserver)
  }

  @Test("A world's notification centres end with it")
  func end() {
    weak var centre: NotificationCenter?
    do {
      let scene = Scene()
      centre = scene.phone.run { NotificationCenter.default }
      #expect(centre != nil)
      #expect(centre !== NotificationCenter.default)
      #expect(centre === scene.phone.run { NotificationCenter.default })
      #expect(centre !== scene.other.run { NotificationCenter.default })
    }
    #expect(centre == nil)
  }
}
