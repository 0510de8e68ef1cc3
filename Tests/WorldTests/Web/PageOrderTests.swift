import Foundation
import NearbyBluetooth
import NearbyScenarios
import NearbySimulator
import NearbyWorldProtocol
import TestSupport
import Testing

@testable import NearbyWorld

@Suite("Orders from the page")
struct PageOrderTests {
  static let good: [(text: String, order: PageOrder)] = [
    (#"{"do":"watch","device":1,"uci":true}"#, .watch(device: 1, uci: true)),
    (#"{"do":"watch","device":null,"uci":false}"#, .watch(device: nil, uci: false)),
    (#"{"do":"watch"}"#, .watch(device: nil, uci: false)),
    (#"{"do":"place","device":0,"p":[1,2.5,-1]}"#, .world(.place(device: 0, [1, 2.5, -1]))),
    (
      #"{"do":"turn","device":2,"heading":180,"pitch":-90,"roll":0}"#,
      .world(.turn(device: 2, heading: .pi, pitch: -.pi / 2, roll: 0))
    ),
    (#"{"do":"foreground","device":0,"value":false}"#, .world(.foreground(device: 0, false))),
    (
      #"{"do":"answer","device":0,"question":"nearby","value":"allowedOnce"}"#,
      .world(.answer(device: 0, .nearby, .allowedOnce))
    ),
    (
      #"{"do":"answer","device":0,"question":"camera","value":"notDetermined"}"#,
      .world(.answer(device: 0, .camera, .notDetermined))
    ),
    (#"{"do":"pick","device":0,"picker":7,"value":"cancel"}"#, .world(.pick(device: 0, number: 7, .cancel))),
    (#"{"do":"pick","device":0,"picker":0,"value":"agree"}"#, .world(.pick(device: 0, number: 0, .agree))),
    (
      #"{"do":"pick","device":0,"picker":7,"value":"name","name":"Keys"}"#,
      .world(.pick(device: 0, number: 7, .name("Keys")))
    ),
    (
      #"{"do":"pick","device":0,"picker":7,"value":"choose","peer":"00000000000000010000000000000abc"}"#,
      .world(.pick(device: 0, number: 7, .choose(BluetoothPeer(high: 1, low: 0xABC))))
    ),
    (#"{"do":"standingAnswer","device":0,"value":"denied"}"#, .world(.standingAnswer(device: 0, .denied))),
    (#"{"do":"standingAnswer","device":0,"value":null}"#, .world(.standingAnswer(device: 0, nil))),
    (#"{"do":"light","device":0,"value":2000}"#, .world(.light(device: 0, 2000))),
    (#"{"do":"features","device":0,"value":true}"#, .world(.features(device: 0, true))),
    (#"{"do":"loss","device":0,"value":0.5}"#, .world(.loss(device: 0, 0.5))),
    (#"{"do":"radio","device":0,"value":false}"#, .world(.radio(device: 0, isOn: false))),
    (
      #"{"do":"addWall","from":[0,0],"to":[1,2],"top":2.5,"material":"glass"}"#,
      .world(.addWall(Wall(from: [0, 0], to: [1, 2], top: 2.5, material: .builtIn("glass"))))
    ),
    (#"{"do":"removeWall","id":3}"#, .world(.removeWall(id: 3))),
    (
      #"{"do":"addDevice","name":"ä","kind":"watch","p":[0,0,1]}"#,
      .world(.addDevice(name: "ä", .watch, [0, 0, 1]))
    ),
    (#"{"do":"bluetooth","device":1,"value":false}"#, .world(.bluetooth(device: 1, isOn: false))),
    (#"{"do":"beacon","beacon":1,"value":true}"#, .world(.beacon(1, isOn: true))),
    (#"{"do":"placeBeacon","beacon":0,"p":[1,2,3]}"#, .world(.placeBeacon(0, [1, 2, 3]))),
    (#"{"do":"anchor","anchor":1,"value":false}"#, .world(.anchor(1, isOn: false))),
    (#"{"do":"placeAnchor","anchor":0,"p":[1,2,3]}"#, .world(.placeAnchor(0, [1, 2, 3]))),
    (
      #"{"do":"anchorFault","anchor":2,"fault":"lateStamps","value":-2.5}"#,
      .world(.anchorFault(2, .lateStamps, -2.5))
    ),
    (
      #"{"do":"addAnchor","name":"ä","network":4294967295,"p":[0,0,2]}"#,
      .world(.addAnchor(name: "ä", network: .max, [0, 0, 2]))
    ),
    (#"{"do":"expected","network":7,"height":1.2}"#, .expected(network: 7, height: 1.2)),
    (#"{"do":"rate","value":0}"#, .world(.rate(.paused))),
    (#"{"do":"step","seconds":60}"#, .step(.seconds(60))),
    (#"{"do":"rate","value":0.001}"#, .world(.rate(WorldRate(0.001) ?? .real))),
    (#"{"do":"removeDevice","device":1}"#, .world(.removeDevice(1))),
    (#"{"do":"save"}"#, .save),
  ]

  @Test("Every kind of order is parsed", arguments: good)
  func order(_ text: String, _ order: PageOrder) throws {
    #expect(try PageOrderReader.read(text) == order)
  }

  static let bad: [(text: String, field: String)] = [
    ("", "no JSON object"), ("[]", "no JSON object"), ("null", "no JSON object"), ("{", "no JSON object"),
    ("{}", "do"), (#"{"do":7}"#, "do"), (#"{"do":"fly"}"#, "do"), (#"{"do":null}"#, "do"),
    (#"{"do":"rate","value":1e-300}"#, "value"), (#"{"do":"rate","value":-1}"#, "value"),
    (#"{"do":"rate","value":100.1}"#, "value"), (#"{"do":"removeDevice","device":"3"}"#, "device"),
    (#"{"do":"watch","device":"anna"}"#, "device"), (#"{"do":"watch","device":0.5}"#, "device"),
    (#"{"do":"watch","device":1e99}"#, "device"), (#"{"do":"watch","device":true}"#, "device"),
    (#"{"do":"place","device":0}"#, "p"), (#"{"do":"place","p":[0,0,0]}"#, "device"),
    (#"{"do":"place","device":0,"p":[0,0]}"#, "p"), (#"{"do":"place","device":0,"p":[0,0,"1"]}"#, "p"),
    (#"{"do":"place","device":0,"p":[0,0,1e6]}"#, "p"), (#"{"do":"place","device":0,"p":{"x":1}}"#, "p"),
    (#"{"do":"place","device":0,"p":[0,0,true]}"#, "p"),
    (#"{"do":"turn","device":0,"heading":0,"pitch":0}"#, "roll"),
    (#"{"do":"turn","device":0,"heading":721,"pitch":0,"roll":0}"#, "heading"),
    (#"{"do":"turn","device":0,"heading":0,"pitch":"up","roll":0}"#, "pitch"),
    (#"{"do":"foreground","device":0,"value":"no"}"#, "value"),
    (#"{"do":"bluetooth","device":0,"value":1}"#, "value"),
    (#"{"do":"beacon","value":true}"#, "beacon"),
    (#"{"do":"placeBeacon","beacon":true,"p":[0,0,0]}"#, "beacon"),
    (#"{"do":"anchor","anchor":0}"#, "value"), (#"{"do":"anchor","anchor":0.5,"value":true}"#, "anchor"),
    (#"{"do":"placeAnchor","anchor":0,"p":[0,0]}"#, "p"), (#"{"do":"placeAnchor","p":[0,0,0]}"#, "anchor"),
    (#"{"do":"anchorFault","anchor":0,"fault":"rust","value":1}"#, "fault"),
    (#"{"do":"anchorFault","anchor":0,"fault":"missedPolls","value":1.1}"#, "value"),
    (#"{"do":"anchorFault","anchor":0,"fault":"missedPolls","value":-0.1}"#, "value"),
    (#"{"do":"anchorFault","anchor":0,"fault":"weak","value":61}"#, "value"),
    (#"{"do":"addAnchor","name":"","network":7,"p":[0,0,0]}"#, "name"),
    (#"{"do":"addAnchor","name":"a","network":-1,"p":[0,0,0]}"#, "network"),
    (#"{"do":"addAnchor","name":"a","network":4294967296,"p":[0,0,0]}"#, "network"),
    (#"{"do":"addAnchor","name":"a","network":7}"#, "p"),
    (#"{"do":"expected","network":7}"#, "height"), (#"{"do":"expected","height":1}"#, "network"),
    (#"{"do":"foreground","device":0,"value":2}"#, "value"),
    (#"{"do":"foreground","device":0,"value":1}"#, "value"),
    (#"{"do":"answer","device":0,"question":"gps","value":"allowed"}"#, "question"),
    (#"{"do":"answer","device":0,"question":"nearby","value":"yes"}"#, "value"),
    (#"{"do":"answer","device":0,"question":"nearby","value":null}"#, "value"),
    (#"{"do":"standingAnswer","device":0,"value":"perhaps"}"#, "value"),
    (#"{"do":"pick","device":0,"value":"cancel"}"#, "picker"),
    (#"{"do":"pick","device":0,"picker":4294967296,"value":"cancel"}"#, "picker"),
    (#"{"do":"pick","device":0,"picker":1,"value":"take"}"#, "value"),
    (#"{"do":"pick","device":0,"picker":1,"value":"choose"}"#, "peer"),
    (
      #"{"do":"pick","device":0,"picker":1,"value":"choose","peer":"+000000000000001+000000000000002"}"#,
      "peer"
    ),
    (#"{"do":"pick","device":0,"picker":1,"value":"choose","peer":"12"}"#, "peer"),
    (#"{"do":"pick","device":0,"picker":1,"value":"name"}"#, "name"),
    (#"{"do":"light","device":0,"value":-1}"#, "value"),
    (#"{"do":"light","device":0,"value":2001}"#, "value"),
    (#"{"do":"light","device":0,"value":true}"#, "value"),
    (#"{"do":"loss","device":0,"value":1.01}"#, "value"),
    (#"{"do":"addWall","from":[0,0],"to":[1,2],"top":2.5,"material":"gold"}"#, "material"),
    (#"{"do":"addWall","from":[0],"to":[1,2],"top":2.5,"material":"glass"}"#, "from"),
    (#"{"do":"addWall","from":[0,0],"to":[1,2],"top":0,"material":"glass"}"#, "top"),
    (#"{"do":"removeWall","id":-1}"#, "id"), (#"{"do":"removeWall","id":1.5}"#, "id"),
    (#"{"do":"addDevice","name":"","kind":"phone","p":[0,0,1]}"#, "name"),
    (#"{"do":"addDevice","name":"x","kind":"car","p":[0,0,1]}"#, "kind"),
    (#"{"do":"rate","value":101}"#, "value"), (#"{"do":"step","seconds":-1}"#, "seconds"),
    (#"{"do":"step","seconds":61}"#, "seconds"), (#"{"do":"step","seconds":1e400}"#, ""),
  ]

  @Test("A wrong field gives an error that names it", arguments: bad)
  func wrongField(_ text: String, _ field: String) {
    let error = #expect(throws: PageOrderError.self) {
      _ = try PageOrderReader.read(text)
    }
    #expect(error?.description.hasPrefix(field) == true, "\(error?.description ?? "")")
  }

  @Test("An order for a missing object is refused, with the field and its value")
  func unknown() throws {
    var world = HostedWorld(.empty)
    _ = world.join(1, as: "anna")
    for (text, refusal) in [
      (#"{"do":"place","device":1,"p":[0,0,0]}"#, "device: found '1', expected a device's id"),
      (#"{"do":"removeDevice","device":-1}"#, "device: found '-1', expected a device's id"),
      (#"{"do":"beacon","beacon":0,"value":true}"#, "beacon: found '0', expected a beacon's id"),
      (#"{"do":"anchor","anchor":0,"value":true}"#, "anchor: found '0', expected an anchor's id"),
      (
        #"{"do":"addDevice","name":"anna","kind":"phone","p":[0,0,1]}"#,
        "name: there already is a device 'anna'"
      ),
    ] {
      guard case .world(let order) = try PageOrderReader.read(text) else {
        Issue.record("\(text) was not parsed as an order to the world")
        continue
      }
      #expect(world.perform(order)?.description == refusal)
    }
    #expect(world.perform(.place(device: 0, [1, 1, 1])) == nil)
    #expect(world.refusal(ofDevice: 0) == nil)
    #expect(world.refusal(ofDevice: 1) != nil)
    // A removed device is still known, and orders for it have no effect.
    #expect(world.perform(.removeDevice(0)) == nil)
    #expect(world.perform(.place(device: 0, [1, 1, 1])) == nil)
  }

  @Test("Mangled orders are parsed or refused, and the world continues", arguments: 0..<50)
  func mangled(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var world = HostedWorld(.empty)
    _ = world.join(1, as: "anna")
    for _ in 0..<40 {
      var octets = Array((Self.good.randomElement(using: &generator)?.text ?? "").utf8)
      for _ in 0..<Int.random(in: 0...4, using: &generator) where !octets.isEmpty {
        let index = Int.random(in: 0..<octets.count, using: &generator)
        if Bool.random(using: &generator) {
          octets[index] = Array(#"{}[]",:0123456789eE.-\u"#.utf8).randomElement(using: &generator) ?? 0
        } else {
          octets.remove(at: index)
        }
      }
      do throws(PageOrderError) {
        let order = try PageOrderReader.read(String(decoding: octets, as: UTF8.self))
        if case .world(let order) = order { world.perform(order) }
      } catch {
        #expect(!error.description.isEmpty)
      }
      world.advance(to: world.time + .milliseconds(50))
    }
    #expect(world.stateText().hasPrefix(#"{"type":"state""#))
  }
}
