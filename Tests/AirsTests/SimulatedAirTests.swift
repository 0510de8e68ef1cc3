import NearbyAirs
import NearbyBluetooth
import NearbyScenarios
import NearbySimulator
import NearbyVirtualBluetooth
import NearbyVirtualUWB
import Testing

@Suite("Simulated air")
struct SimulatedAirTests {
  private static let nanosecond = Duration.nanoseconds(1)

  /// When the second range or sighting occurs if nothing else happens.
  private func second(_ times: KeyPath<AirBench, [Duration]>) throws -> Duration {
    var bench = AirBench()
    bench.run(until: .seconds(2))
    return try #require(bench[keyPath: times].dropFirst().first)
  }

  // MARK: Order

  @Test(
    "A round that ends when a radio is switched off still measures; one that ends a nanosecond later does not"
  )
  func roundBeforeScenario() throws {
    let time = try second(\.ranges)
    for (event, isMeasured) in [(time, true), (time - Self.nanosecond, false)] {
      var bench = AirBench(events: [Scenario.Event(time: event, device: 1, action: .switchOff)])
      bench.run(until: .seconds(2))
      #expect(bench.ranges.contains(time) == isMeasured)
      #expect(bench.ranges.allSatisfy { $0 <= time }, "measured after the radio was switched off")
      #expect(bench.performed.map(\.time) == [event])
    }
  }

  @Test("A packet sent when its receiver is carried away still arrives; one sent a nanosecond later does not")
  func packetBeforeScenario() throws {
    let time = try second(\.sightings)
    for (event, isHeard) in [(time, true), (time - Self.nanosecond, false)] {
      let away = Scenario.Event(time: event, device: 0, action: .place([50_000, 0, 1]))
      var bench = AirBench(events: [away])
      bench.run(until: .seconds(2))
      #expect(bench.sightings.contains(time) == isHeard)
      #expect(bench.sightings.allSatisfy { $0 <= time })
    }
  }

  @Test(
    "Scenario events are performed once, and simultaneous ones in the order of the file")
  func scenarioOrder() {
    let events = [
      Scenario.Event(time: .seconds(1), device: 0, action: .place([1, 0, 0])),
      Scenario.Event(time: .seconds(2), device: 0, action: .place([2, 0, 0])),
      Scenario.Event(time: .seconds(2), device: 0, action: .place([3, 0, 0])),
      Scenario.Event(time: .seconds(4), device: 0, action: .place([4, 0, 0])),
    ]
    var air = AirBench(events: events, ranges: false, scans: false).air
    air.advance(to: .seconds(3))
    #expect(air.takePerformedEvents() == Array(events.prefix(3)))
    #expect(air.takePerformedEvents().isEmpty)
    #expect(air.medium.world.pose(of: BodyID(index: 0), at: .seconds(3)).positionInWorld == [3, 0, 0])
    #expect(Array(air.comingEvents) == Array(events.suffix(1)))
  }

  @Test("One long advance has the same result as advancing from event to event")
  func strides() {
    func sighted(stride: Duration?) -> [String] {
      let events = [
        Scenario.Event(time: .milliseconds(700), device: 0, action: .place([50_000, 0, 1])),
        Scenario.Event(time: .milliseconds(1300), device: 0, action: .place([0, 1, 1])),
      ]
      var air = AirBench(events: events, ranges: false).air
      var time = Duration.zero
      while time < .seconds(2) {
        time = min(.seconds(2), stride.map { time + $0 } ?? air.nextEventTime ?? .seconds(2))
        air.advance(to: time)
      }
      return air.bluetooth.takeActions().map { "\($0)" }
    }
    let steps = sighted(stride: nil)
    #expect(steps.count > 5)
    #expect(sighted(stride: .seconds(2)) == steps)
    #expect(sighted(stride: .milliseconds(333)) == steps)
  }

  // MARK: Times

  @Test("nextEventTime is the earliest time of a round, a packet and a scenario event")
  func nextEventTime() throws {
    var silent = AirBench(ranges: false, scans: false).air
    #expect(silent.nextEventTime == nil)
    silent.advance(to: .seconds(1))
    #expect(silent.nextEventTime == nil)

    let (ranging, scanning) = (AirBench(scans: false).air, AirBench(ranges: false).air)
    let round = try #require(ranging.uwb.nextEventTime)
    let packet = try #require(scanning.bluetooth.nextEventTime)
    #expect(ranging.nextEventTime == round)
    #expect(scanning.nextEventTime == packet)
    #expect(AirBench().air.nextEventTime == min(round, packet))

    for time in [min(round, packet) - Self.nanosecond, min(round, packet) + Self.nanosecond] {
      let event = Scenario.Event(time: time, device: 0, action: .switchOff)
      #expect(AirBench(events: [event]).air.nextEventTime == min(round, packet, time))
    }
  }

  @Test("Advancing to an event performs it, so that the next event is later")
  func progress() throws {
    var air = AirBench(events: [Scenario.Event(time: .zero, device: 0, action: .switchOn)]).air
    for _ in 0..<50 {
      let time = try #require(air.nextEventTime)
      air.advance(to: time)
      let next = try #require(air.nextEventTime)
      #expect(next > time)
    }
  }

  // MARK: Devices that leave

  @Test("dropEvents(ofDevice:) drops only the events of that device")
  func departure() {
    let events = (0..<2).flatMap { device in
      (1...2).map { Scenario.Event(time: .seconds($0), device: device, action: .switchOff) }
    }.sorted { $0.time < $1.time }
    var air = AirBench(events: events, ranges: false, scans: false).air
    air.advance(to: .seconds(1))
    air.dropEvents(ofDevice: 0)
    #expect(air.comingEvents.map(\.device) == [1])
    air.advance(to: .seconds(2))
    #expect(air.takePerformedEvents().map(\.device) == [0, 1, 1])
    #expect(air.nextEventTime == nil)
  }

  @Test("Devices with the same name have separate Bluetooth places, and a removed device has none")
  func places() {
    var air = AirBench(ranges: false, scans: false).air
    let first = air.bluetoothPlace(of: 0, name: "phone", body: BodyID(index: 0))
    let second = air.bluetoothPlace(of: 1, name: "phone", body: BodyID(index: 1))
    #expect(first != second)
    #expect(air.bluetoothPlace(of: 0, name: "phone", body: BodyID(index: 0)) == first)
    #expect(air.bluetoothDevice(at: second) == 1)
    air.forgetBluetooth(of: 1)
    #expect(air.bluetoothDevice(at: second) == nil)
    #expect(air.bluetoothPlace(of: 1) == nil)
    #expect(air.bluetoothPlace(of: 0) == first)
  }
}
