import NearbyBeacons
import NearbyBluetooth
import TestSupport
import Testing

func region(
  _ name: String, major: UInt16? = nil, minor: UInt16? = nil, entry: Bool = true, exit: Bool = true
) -> MonitoredRegion {
  MonitoredRegion(
    identifier: name, constraint: BeaconConstraint(uuid: someUUID, major: major, minor: minor),
    notifiesOnEntry: entry, notifiesOnExit: exit)
}

private func beacon(_ major: UInt16, _ minor: UInt16) -> BeaconIdentity {
  BeaconIdentity(uuid: someUUID, major: major, minor: minor)
}

/// A monitor whose scanner runs.
private func listening(_ regions: [MonitoredRegion], rule: ExitRule = .usual) -> RegionMonitor {
  var monitor = RegionMonitor(exitRule: rule)
  _ = monitor.setListening(true, at: .zero)
  for region in regions { _ = monitor.add(region, at: .zero) }
  return monitor
}

@Suite("Regions")
struct RegionTests {
  @Test("A region is entered with the first packet, and left 30 s after the last one")
  func life() {
    var monitor = listening([region("a")])
    #expect(
      monitor.sighted(beacon(1, 2), at: .seconds(3)) == [
        .entered(identifier: "a", beacon: beacon(1, 2)), .determined(identifier: "a", .inside),
      ])
    #expect(monitor.sighted(beacon(1, 3), at: .seconds(4)) == [])
    #expect(monitor.nextDeadline == .seconds(34))
    #expect(monitor.timePassed(at: .milliseconds(33_999)) == [])
    #expect(
      monitor.timePassed(at: .seconds(34)) == [
        .exited(identifier: "a"), .determined(identifier: "a", .outside),
      ])
    #expect(monitor.nextDeadline == nil)
    #expect(monitor.sighted(beacon(1, 2), at: .seconds(50)).count == 2)
  }

  @Test("The exit delay begins with the last packet of any beacon in the region")
  func last() {
    var monitor = listening([region("a")])
    _ = monitor.sighted(beacon(1, 1), at: .seconds(1))
    for second in 2...100 { #expect(monitor.sighted(beacon(1, 2), at: .seconds(second)).isEmpty) }
    #expect(monitor.timePassed(at: .seconds(131)).first == .exited(identifier: "a"))
  }

  @Test("Silence does not count while the scanner is off")
  func deaf() {
    var monitor = listening([region("a")])
    _ = monitor.sighted(beacon(1, 1), at: .seconds(1))
    _ = monitor.setListening(false, at: .seconds(11))
    #expect(monitor.nextDeadline == nil)
    #expect(monitor.timePassed(at: .seconds(3600)) == [])
    _ = monitor.setListening(true, at: .seconds(3600))
    #expect(monitor.nextDeadline == .seconds(3620))
    #expect(monitor.timePassed(at: .seconds(3620)).first == .exited(identifier: "a"))
  }

  @Test("notifiesOnEntry and notifiesOnExit suppress these events, but not the state")
  func flags() {
    var monitor = listening([region("a", entry: false), region("b", exit: false)])
    #expect(
      monitor.sighted(beacon(1, 1), at: .seconds(1)) == [
        .determined(identifier: "a", .inside), .entered(identifier: "b", beacon: beacon(1, 1)),
        .determined(identifier: "b", .inside),
      ])
    #expect(
      monitor.timePassed(at: .seconds(60)) == [
        .exited(identifier: "a"), .determined(identifier: "a", .outside),
        .determined(identifier: "b", .outside),
      ])
  }

  @Test(
    "A constraint without major or minor matches all values",
    arguments: [
      (nil, nil, true), (UInt16(1), nil, true), (1, UInt16(2), true), (2, nil, false), (1, 3, false),
    ] as [(UInt16?, UInt16?, Bool)])
  func wildcards(_ major: UInt16?, _ minor: UInt16?, _ enters: Bool) {
    var monitor = listening([region("a", major: major, minor: minor)])
    #expect(monitor.sighted(beacon(1, 2), at: .seconds(1)).isEmpty == !enters)
  }

  @Test("A twenty-first region is refused; a region with a known identifier replaces the earlier one")
  func limit() {
    var monitor = RegionMonitor()
    for number in 0..<20 {
      #expect(monitor.add(region("r\(number)"), at: .zero) == [.started(identifier: "r\(number)")])
    }
    #expect(monitor.add(region("one more"), at: .zero) == [.limitReached(identifier: "one more")])
    #expect(monitor.add(region("r7", major: 9), at: .zero) == [.started(identifier: "r7")])
    #expect(monitor.regions.count == 20)
    #expect(monitor.regions.first { $0.identifier == "r7" }?.constraint.major == 9)
    let removed = [monitor.remove("r3"), monitor.remove("r3")]
    #expect(removed == [true, false])
    #expect(monitor.add(region("one more"), at: .zero) == [.started(identifier: "one more")])
  }

  @Test("A replaced region keeps its state if its constraint is the same, and starts over otherwise")
  func replaced() {
    var monitor = listening([region("a")])
    _ = monitor.sighted(beacon(1, 1), at: .seconds(1))
    _ = monitor.add(region("a", exit: false), at: .seconds(2))
    #expect(monitor.state(of: "a") == .inside)
    _ = monitor.add(region("a", major: 5), at: .seconds(3))
    #expect(monitor.state(of: "a") == .unknown)
  }

  @Test("A request for the state is answered when the state is known")
  func asked() {
    var monitor = listening([region("a"), region("b", major: 7)])
    #expect(monitor.requestState(of: "a", at: .seconds(1)) == [])
    #expect(monitor.sighted(beacon(1, 1), at: .seconds(2)).last == .determined(identifier: "a", .inside))
    #expect(monitor.requestState(of: "a", at: .seconds(3)) == [.determined(identifier: "a", .inside)])
    #expect(monitor.requestState(of: "b", at: .seconds(3)) == [])
    #expect(monitor.timePassed(at: .seconds(10)) == [.determined(identifier: "b", .outside)])
    #expect(monitor.requestState(of: "b", at: .seconds(11)) == [.determined(identifier: "b", .outside)])
    #expect(monitor.requestState(of: "nobody", at: .seconds(11)) == [])
    var deaf = RegionMonitor()
    _ = deaf.add(region("a"), at: .zero)
    #expect(deaf.requestState(of: "a", at: .seconds(1)) == [.determined(identifier: "a", .unknown)])
  }

  @Test("A pending request is answered when the scanner stops")
  func unanswered() {
    var monitor = listening([region("a")])
    _ = monitor.requestState(of: "a", at: .seconds(1))
    #expect(monitor.setListening(false, at: .seconds(2)) == [.determined(identifier: "a", .unknown)])
    #expect(monitor.setListening(true, at: .seconds(3)) == [])
  }

  @Test("Changes are reported relative to an assumed state")
  func assumed() {
    var monitor = RegionMonitor()
    _ = monitor.setListening(true, at: .zero)
    _ = monitor.add(region("a"), assuming: .inside, at: .zero)
    #expect(monitor.sighted(beacon(1, 1), at: .seconds(1)) == [])
    #expect(monitor.timePassed(at: .seconds(31)).first == .exited(identifier: "a"))
    _ = monitor.add(region("b"), assuming: .outside, at: .seconds(31))
    #expect(monitor.timePassed(at: .seconds(100)) == [])
  }

  @Test(
    "The learned exit delay is short for a frequent beacon and long for a rare or lossy one",
    arguments: [
      (0.1, 0.0, 3.0, 4.0), (0.1, 0.8, 5.0, 25.0), (2.0, 0.5, 30.0, 61.0),
    ])
  func learned(interval: Double, loss: Double, atLeast: Double, atMost: Double) {
    var random = SeededGenerator(seed: 12)
    var monitor = listening([region("a")], rule: .learned)
    var (time, last) = (0.0, 0.0)
    for _ in 0..<2000 {
      time += interval
      guard Double.random(in: 0..<1, using: &random) >= loss else { continue }
      last = time
      let actions = monitor.sighted(beacon(1, 1), at: .seconds(time))
      #expect(!actions.contains(.exited(identifier: "a")), "at \(time)")
    }
    var exit: Double?
    while exit == nil, time < last + 100 {
      time += 0.1
      if !monitor.timePassed(at: .seconds(time)).isEmpty { exit = time - last }
    }
    #expect(exit.map { $0 >= atLeast && $0 <= atMost } == true, "\(exit ?? -1)")
  }

  @Test("Any sequence of events gives the result of the reference model", arguments: UInt64(1)...60)
  func obvious(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var monitor = RegionMonitor(exitRule: .fixed(.seconds(12)))
    var model = ObviousRegions(exitDelay: .seconds(12))
    var time = Duration.zero
    let names = (0..<25).map { "r\($0)" }
    for step in 0..<400 {
      time += .milliseconds(Int64.random(in: 0...(step.isMultiple(of: 7) ? 15_000 : 1500), using: &random))
      let name = names.randomElement(using: &random) ?? "r0"
      let number = { (random: inout SeededGenerator) in UInt16.random(in: 0...2, using: &random) }
      let (mine, obvious): ([RegionAction], [RegionAction])
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        let major: UInt16? = Bool.random(using: &random) ? number(&random) : nil
        let added = region(
          name, major: major, minor: Bool.random(using: &random) ? number(&random) : nil,
          entry: Bool.random(using: &random), exit: Bool.random(using: &random))
        (mine, obvious) = (
          monitor.timePassed(at: time) + monitor.add(added, at: time),
          model.passed(time) + model.add(added, at: time)
        )
      case 2:
        (mine, obvious) = (monitor.timePassed(at: time), model.passed(time))
        let removed = (monitor.remove(name), model.remove(name))
        #expect(removed.0 == removed.1)
      case 3: (mine, obvious) = (monitor.requestState(of: name, at: time), model.ask(name, at: time))
      case 4:
        let on = Double.random(in: 0..<1, using: &random) < 0.8
        (mine, obvious) = (monitor.setListening(on, at: time), model.listen(on, at: time))
      case 5, 6: (mine, obvious) = (monitor.timePassed(at: time), model.passed(time))
      case _:
        let heard = beacon(number(&random), number(&random))
        (mine, obvious) = (monitor.sighted(heard, at: time), model.hear(heard, at: time))
      }
      #expect(mine == obvious, "seed \(seed), step \(step)")
      #expect(monitor.regions.map(\.identifier) == model.watched.keys.sorted())
      #expect(
        monitor.regions.allSatisfy { monitor.state(of: $0.identifier) == model.watched[$0.identifier]?.state }
      )
    }
  }
}
