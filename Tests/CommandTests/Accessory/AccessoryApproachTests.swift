import AccessoryApp
import Foundation
import NearbyDevice
import NearbyLive
import NearbyScenarios
import NearbyWorld
import TestSupport
import Testing

/// `nearby accessory` as a process in a world, and a phone that walks up to it.
@Suite(
  "nearby accessory in a world", .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct AccessoryApproachTests {
  /// The app. Used on the main queue only.
  private final class Held: @unchecked Sendable { var app: AccessoryApp? }

  private let folder: TemporaryFolder
  private let server: WorldServer
  private let port: UInt16

  init() throws {
    folder = try TemporaryFolder()
    var configuration = WorldServer.Configuration()
    configuration.port = 0
    server = WorldServer(HostedWorld(.empty, settings: configuration.settings), configuration) { _ in }
    port = try server.start().port
  }

  private func place(_ device: Int, metres: Double) {
    server.withWorld { $0.perform(.place(device: device, [0, metres, 1.2])) }
  }

  /// The distance in a line of output, in metres.
  private func distance(in line: String) -> Double? {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return object?["distance"] as? Double
  }

  /// Every object has a time, and times never decrease.
  private func checkTimes(_ door: ProgramRun) throws {
    var last = 0.0
    for line in door.all where line.hasPrefix("{") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let time = try #require(object?["t"] as? Double, "\(line)")
      #expect(time >= last, "\(line)")
      last = time
    }
  }

  @Test(
    "--on-near, --on-far and --on-gone run each time, with the phone's name, id and distance",
    arguments: ["nordic", "qorvo"])
  func approach(_ channel: String) async throws {
    defer { server.stop() }
    let door = try ProgramRun(
      [
        "accessory", "--name", "Door", "--json", "--channel", channel, "--on-near",
        "echo open for $NEARBY_PHONE at $NEARBY_DISTANCE", "--on-far", "echo closed at $NEARBY_DISTANCE",
        "--on-gone", "echo bye ${NEARBY_PHONE_ID:-nobody}", "--within", "1.5", "--pair", "10min",
      ], in: folder, environment: ["NEARBY_WORLD": "127.0.0.1:\(port)", "NEARBY_DEVICE": "door"])
    #expect(door.line(with: #""event":"ready""#) != nil, "\(door.text)")
    let phone = try JoinedWorld.join(
      named: "phone", host: "127.0.0.1", port: port, token: "", usageDescription: "a test",
      cameraUsageDescription: nil
    ).device
    place(0, metres: 0)
    place(1, metres: 3.5)
    let held = Held()
    await MainActor.run {
      held.app = NearbyDevice.$current.withValue(phone) {
        AccessoryApp(AccessoryChannel(channel == "qorvo" ? .qorvo : .nordicUART))
      }
    }
    var seen = try #require(door.line(with: #""event":"measured""#, #""distance":"#), "\(door.text)")
    for _ in 0..<2 {
      let away = door.line(from: seen, with: #""distance":3."#)
      seen = try #require(away, "\(door.all.suffix(5))")
      place(1, metres: 1)
      let next = door.line(from: seen, with: "open for phone 1 at ")
      seen = try #require(next, "\(door.text)")
      let told = door.all[seen - 1].split(separator: " ").last.flatMap { Double($0) }
      #expect((told ?? 9) <= 1.5)
      place(1, metres: 3.5)
      seen = try #require(door.line(from: seen, with: "closed at "), "\(door.text)")
    }
    #expect(door.all.count { $0.hasPrefix("open for") } == 2, "\(door.text)")
    await MainActor.run {
      held.app?.end()
      held.app = nil
    }
    #expect(door.line(from: seen, with: #""event":"stopped""#) != nil, "\(door.text)")
    _ = try #require(door.line(from: seen, with: #""event":"gone""#, #""id":""#), "\(door.text)")
    let bye = try #require(door.line(from: seen, with: "bye "), "\(door.text)")
    #expect(!door.all[bye - 1].contains("nobody"), "\(door.text)")
    for event in ["near", "far"] {
      #expect(door.all.count { $0.contains(#""event":"\#(event)""#) } == 2, "\(door.text)")
    }
    try checkTimes(door)
    door.signal(SIGINT)
    #expect(door.end() == 0, "\(door.text)")
  }
}
