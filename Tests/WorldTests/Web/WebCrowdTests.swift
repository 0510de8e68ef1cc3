import Foundation
import NearbyRadioLinks
import NearbyScenarios
import NearbySimulator
import TestSupport
import Testing

@testable import NearbyWorld

/// Many simultaneous connections to a running server.
@Suite("Many connections to the page", .ownThreads)
struct WebCrowdTests {
  @Test("With the page full of silent connections, a request is still served")
  func silent() async throws {
    let served = try ServedFiles(limit: 8)
    let silent = try (0..<40).map { _ in try WebVisitor(port: served.port) }
    #expect(await served.told.wait { $0.contains(.crowded(8)) })
    let visitor = try WebVisitor(port: served.port)
    visitor.get("/")
    #expect(visitor.status().contains("200"))
    // Reported once, however often there was no room.
    #expect(served.told.all == [.crowded(8)])
    withExtendedLifetime(silent) {}
  }

  @Test("When the page is full of WebSockets, a new connection waits until one ends")
  func waiting() async throws {
    let served = try ServedFiles(limit: 4)
    var viewers = try (0..<4).map { _ in try served.visitor() }
    let late = try WebVisitor(port: served.port)
    late.get("/")
    #expect(await served.told.wait { $0.contains(.crowded(4)) })
    #expect(late.heard.isEmpty)
    viewers.removeLast()
    #expect(late.status().contains("200"))
    withExtendedLifetime(viewers) {}
  }

  @Test("Connections that would use reserved descriptors are closed, which is reported once")
  func reserve() async throws {
    let served = try ServedFiles(descriptorLimit: 0)
    let failure = ServedFiles.Told.acceptFailed(.system(call: "accept", errno: EMFILE))
    for _ in 0..<2 { #expect(try WebVisitor(port: served.port).readsEnd()) }
    #expect(await served.told.wait { $0.contains(failure) })
    #expect(served.told.all == [failure])
  }

  @Test(
    "200 viewers receive the world's states even if one reads nothing",
    .timeLimit(.minutes(2)))
  func viewers() async throws {
    let world = try ServedWorld()
    let page = try WorldPage(world.server, token: "secret", limit: 512)
    let port = try page.start(host: "127.0.0.1", port: 0)
    defer { page.stop() }
    let viewers = try (0..<WebServer.viewerLimit).map { _ in try WebVisitor(port: port) }
    for viewer in viewers { #expect(viewer.upgrade().contains("101")) }
    // The last viewer reads nothing from here on.
    for viewer in viewers.dropLast() {
      let isEnough = viewer.read { octets in
        String(decoding: octets, as: UTF8.self).components(separatedBy: #""type":"state""#).count > 20
      }
      #expect(isEnough)
    }
    #expect(viewers.last?.isEnded == false)
  }

  @Test("A slow viewer's backlog is limited, and other viewers are not delayed")
  func late() async throws {
    let served = try ServedFiles()
    let quick = try served.visitor()
    let late = try served.visitor()
    #expect(await served.told.wait { $0.contains(.opened(2)) })
    let message = WebMessage(String(repeating: "x", count: 60_000))
    // Like the page's server, stop sending to a client that has a backlog.
    var sent = 0
    while served.server.backlog(of: WebClient(number: 2)) < 4, sent < 1000 {
      served.server.send(message, to: WebClient(number: 2))
      sent += 1
    }
    #expect(sent < 1000)
    served.server.send("still here", to: WebClient(number: 1))
    #expect(quick.read { String(decoding: $0, as: UTF8.self).hasSuffix("still here") })
    let count = sent * 60_000
    #expect(late.read { $0.count > count })
  }
}

/// What a page may order, and how much of it.
@Suite("Limits of the page's orders", .ownThreads)
struct PageLimitTests {
  private func viewer(_ page: WorldPage) throws -> WebVisitor {
    let viewer = try WebVisitor(port: try page.start(host: "127.0.0.1", port: 0))
    #expect(viewer.upgrade().contains("101"))
    return viewer
  }

  @Test("Steps add up to at most 60 s, and the world continues in between")
  func steps() async throws {
    let world = try ServedWorld()
    let page = try WorldPage(world.server, token: "secret")
    let viewer = try viewer(page)
    defer { page.stop() }
    viewer.send((0..<100).flatMap { _ in WebVisitor.frame(Array(#"{"do":"step","seconds":60}"#.utf8)) })
    #expect(viewer.read { String(decoding: $0, as: UTF8.self).contains("steps of more than 60 s at once") })
    // The step that was started is completed.
    #expect(
      viewer.read { octets in
        String(decoding: octets, as: UTF8.self).matches(of: /"t":([0-9.]+)/).contains {
          (Double($0.1) ?? 0) >= 60
        }
      })
  }

  @Test("The numbers of walls and devices are limited, and names are unique")
  func scene() {
    var settings = HostedWorld.Settings()
    settings.deviceLimit = 2
    var world = HostedWorld(.empty, settings: settings)
    let wall = WorldOrder.addWall(Wall(from: [0, 0], to: [1, 0], material: .builtIn("glass")))
    for _ in 0..<HostedWorld.obstacleLimit {
      #expect(world.perform(wall) == nil)
    }
    #expect(world.perform(wall)?.description.contains("1000 walls") == true)
    #expect(world.obstacleIDs.count == HostedWorld.obstacleLimit)
    world.perform(.removeWall(id: 0))
    #expect(world.perform(wall) == nil)
    #expect(world.perform(.addDevice(name: "anna", .phone, [0, 0, 1])) == nil)
    #expect(world.perform(.addDevice(name: "anna", .phone, [0, 0, 1])) != nil)
    #expect(world.perform(.addDevice(name: "ben", .phone, [0, 0, 1])) == nil)
    #expect(
      world.perform(.addDevice(name: "eve", .phone, [0, 0, 1]))?.description.contains("2 devices") == true)
    // The removed device's name and place are free again.
    #expect(world.perform(.removeDevice(0)) == nil)
    #expect(world.perform(.addDevice(name: "anna", .phone, [0, 0, 1])) == nil)
  }
}
