import NearbyRadioLinks
import TestSupport
import Testing

@testable import NearbyWorld

/// On which addresses the page listens.
@Suite("The page's address", .ownThreads)
struct WebListenTests {
  @Test("The page listens only at the given address")
  func nowhereElse() throws {
    let served = try ServedFiles(host: "127.0.0.1")
    let visitor = try WebVisitor(port: served.port)
    visitor.get("/")
    #expect(visitor.status().contains("200"))
    let own = (HostAddress.ofThisMachine ?? []).map(\.description).filter { !$0.hasPrefix("fe80:") }
    for address in Set(own + ["127.0.0.2", "::1"]).subtracting(["127.0.0.1"]) {
      #expect(throws: LinkError.self, "\(address)") { try WebVisitor(host: address, port: served.port) }
    }
  }

  @Test("The host can be given as localhost")
  func localhost() throws {
    let served = try ServedFiles(token: "", host: "localhost")
    let visitor = try WebVisitor(host: "localhost", port: served.port)
    #expect(visitor.upgrade("/socket", host: "localhost:\(served.port)").contains("101"))
  }

  @Test(
    "Another machine's address or an invalid one gives an error that says so",
    arguments: [
      ("192.0.2.1", "192.0.2.1 is not an address of this machine"),
      ("224.0.0.1", "is not an address of this machine"),
      ("no-such-name.invalid", "no address for host 'no-such-name.invalid'"), ("0", "found '0'"),
      ("2001:db8::1", "2001:db8::1 is not an address of this machine"),
    ])
  func foreign(_ host: String, _ words: String) {
    let failure = #expect(throws: WebServer.Failure.self) { try ServedFiles(host: host) }
    #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
  }

  @Test("A page without a token is served on loopback addresses only")
  func tokenless() throws {
    let failure = #expect(throws: WebServer.Failure.self) { try ServedFiles(token: "", host: "0.0.0.0") }
    #expect(failure?.description.contains("a loopback address") == true)
    _ = try ServedFiles(token: "secret", host: "0.0.0.0")
  }

  @Test("A port in use is reported, and the failed page leaves nothing behind")
  func portInUse() throws {
    let served = try ServedFiles()
    let world = try ServedWorld()
    let failure = #expect(throws: WebServer.Failure.self) {
      try WorldPage(world.server, token: "secret").start(host: "127.0.0.1", port: served.port)
    }
    #expect(failure?.description.contains("127.0.0.1:\(served.port) is in use") == true)
    // A page that was never started can be stopped, too.
    try WorldPage(world.server, token: "secret").stop()
  }
}
