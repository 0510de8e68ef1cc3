import CoreLocation
import NearbyTesting
import Testing

/// Takes a monitor's events one after another.
private struct Taker {
  var iterator: CLMonitor.Events.AsyncIterator

  /// Returns the next event. The test advances time first, so the event exists and no time-out is needed.
  mutating func next() async throws -> String {
    guard let event = try await iterator.next() else { return "end" }
    return "\(event.identifier) \(event.state)"
  }
}

@Suite("CLMonitor")
struct BeaconMonitorTests {
  private static func monitor(_ name: String, on phone: Phone) async -> CLMonitor {
    await phone.launch { Task { await CLMonitor(name) } }.value
  }

  @Test("Events report when a condition becomes true or false, and for which beacon")
  func events() async throws {
    let hall = BeaconHall()
    let monitor = await Self.monitor("finds", on: hall.phone)
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: treasureUUID), identifier: "treasure")
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: strangeUUID), identifier: "stranger")
    #expect(await monitor.identifiers == ["stranger", "treasure"])
    #expect(await monitor.record(for: "treasure")?.lastEvent.state == .unknown)
    await hall.world.advance(by: .seconds(15))
    hall.beacon.switchOff()
    await hall.world.advance(by: .seconds(60))
    var seen: [String] = []
    for try await event in monitor.events {
      seen.append("\(event.identifier) \(event.state)")
      if seen.count == 1 {
        let beacon = try #require(event.refinement as? CLMonitor.BeaconIdentityCondition)
        #expect(beacon == CLMonitor.BeaconIdentityCondition(uuid: treasureUUID, major: 1, minor: 7))
      }
      if seen.count == 3 { break }
    }
    #expect(seen == ["treasure satisfied", "stranger unsatisfied", "treasure unsatisfied"])
    let record = try #require(await monitor.record(for: "treasure"))
    #expect(record.lastEvent.state == .unsatisfied)
    #expect((record.condition as? CLMonitor.BeaconIdentityCondition)?.uuid == treasureUUID)
    #expect(await monitor.record(for: "nothing") == nil)
  }

  @Test("A state that matches the assumption is not reported")
  func assuming() async throws {
    let hall = BeaconHall()
    let monitor = await Self.monitor("finds", on: hall.phone)
    await monitor.add(
      CLMonitor.BeaconIdentityCondition(uuid: treasureUUID), identifier: "treasure", assuming: .satisfied)
    await monitor.add(
      CLMonitor.BeaconIdentityCondition(uuid: strangeUUID), identifier: "stranger", assuming: .unsatisfied)
    await hall.world.advance(by: .seconds(20))
    hall.beacon.switchOff()
    await hall.world.advance(by: .seconds(60))
    var taker = Taker(iterator: monitor.events.makeAsyncIterator())
    #expect(try await taker.next() == "treasure unsatisfied")
  }

  @Test("A monitor's conditions and their states survive a relaunch of the app")
  func relaunch() async throws {
    let hall = BeaconHall()
    let monitor = await Self.monitor("finds", on: hall.phone)
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: treasureUUID), identifier: "treasure")
    await monitor.add(
      CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4), radius: 100), identifier: "place")
    await hall.world.advance(by: .seconds(3))
    hall.phone.relaunch()
    hall.beacon.switchOff()
    let next = await Self.monitor("finds", on: hall.phone)
    let other = await Self.monitor("others", on: hall.phone)
    #expect(await next.identifiers == ["place", "treasure"])
    #expect(await other.identifiers == [])
    #expect(await next.record(for: "treasure")?.lastEvent.state == .satisfied)
    let place = await next.record(for: "place")
    #expect((place?.condition as? CLMonitor.CircularGeographicCondition)?.radius == 100)
    await hall.world.advance(by: .seconds(60))
    var taker = Taker(iterator: next.events.makeAsyncIterator())
    #expect(try await taker.next() == "treasure unsatisfied")
    await next.remove("treasure")
    #expect(await next.identifiers == ["place"])
  }

  @Test("Circles, a twenty-first condition and a denied permission are reported with the reason")
  func trouble() async throws {
    let hall = BeaconHall()
    let monitor = await Self.monitor("finds", on: hall.phone)
    await monitor.add(
      CLMonitor.CircularGeographicCondition(center: CLLocationCoordinate2D(), radius: 5), identifier: "circle"
    )
    for number in 1...21 {
      await monitor.add(
        CLMonitor.BeaconIdentityCondition(uuid: treasureUUID, major: UInt16(number)), identifier: "c\(number)"
      )
    }
    hall.app.manager.startMonitoring(for: CLBeaconRegion(uuid: strangeUUID, identifier: "one more"))
    await hall.world.advance(by: .seconds(1))
    #expect(hall.app.history.contains("monitoring failed one more regionMonitoringFailure"))
    var iterator = monitor.events.makeAsyncIterator()
    let first = try #require(try await iterator.next())
    #expect(first.identifier == "circle")
    #expect(first.state == .unmonitored)
    #expect(first.conditionUnsupported)
    let second = try #require(try await iterator.next())
    #expect(second.identifier == "c21")
    #expect(second.state == .unmonitored)
    #expect(second.conditionLimitExceeded)
    hall.phone.changeLocationAccess(to: .never)
    await hall.world.advance(by: .seconds(1))
    var denied: CLMonitor.Event?
    while denied == nil {
      guard let event = try await iterator.next() else { break }
      if event.authorizationDenied { denied = event }
    }
    #expect(denied?.state == .unknown)
  }
}
