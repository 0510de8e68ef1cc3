import Foundation
import NearbyAccessory
import Testing

@testable import nearby

@Suite("nearby accessory")
struct AccessoryCommandTests {
  @Test("A phone that comes near is told once, and again when it has been away")
  func trigger() {
    var trigger = NearTrigger(within: 1.5)
    let (one, two) = (AccessoryPhone(number: 1), AccessoryPhone(number: 2))
    let course: [(Double?, Bool)] = [
      (3, false), (1.6, false), (1.5, true), (1.2, false), (nil, false), (1.7, false), (1.4, false),
      (2, false),
      (1.4, true),
    ]
    for (step, (distance, isNear)) in course.enumerated() {
      #expect(trigger.take(one, distance: distance) == isNear, "step \(step)")
    }
    let isSecondNear = trigger.take(two, distance: 1)
    #expect(isSecondNear)
    trigger.forget(one)
    let isNearAgain = trigger.take(one, distance: 1)
    #expect(isNearAgain)
  }

  @Test("Events are lines, or JSON with the same words")
  func text() {
    let phone = AccessoryPhone(number: 3)
    let reading = AccessoryReading(
      phone: phone, time: .seconds(1), distance: 1.234, sigma: 0.05, direction: nil)
    let events: [(Accessory.Event, String, String)] = [
      (
        .ready(configurationData: Data([1, 0xAB])), "ready: phones are told 01ab",
        #"{"event":"ready","data":"01ab"}"#
      ),
      (.connected(phone), "phone 3: connected", #"{"event":"connected","phone":"phone 3"}"#),
      (
        .measured(reading), "phone 3: 1.23 m",
        #"{"event":"measured","phone":"phone 3","distance":1.234,"sigma":0.050}"#
      ),
      (
        .stopped(phone, .silence), "phone 3: stopped, silence",
        #"{"event":"stopped","phone":"phone 3","reason":"silence"}"#
      ),
      (
        .refused(phone, .notInitialised), "phone 3: refused, notInitialised",
        #"{"event":"refused","phone":"phone 3","reason":"notInitialised"}"#
      ),
    ]
    for (event, plain, json) in events {
      #expect(AccessoryText(isJSON: false).line(event) == plain)
      #expect(AccessoryText(isJSON: true).line(event) == json)
    }
  }

  @Test("What cannot be meant is said, with the usage code")
  func usage() {
    for words in [
      ["accessory", "--within", "2"], ["accessory", "--on-near", "true", "--within", "0"],
      ["accessory", "--role", "boss"], ["accessory", "extra"],
    ] {
      let (context, _, errors) = CommandContext.recording()
      #expect(NearbyCommand.run(words, in: context) == .usage, "\(words)")
      #expect(!errors.text.isEmpty)
    }
  }
}
