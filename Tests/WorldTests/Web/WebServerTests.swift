import Dispatch
import NearbyRadioLinks
import TestSupport
import Testing

@testable import NearbyWorld

/// A server of one file on a free port, and its events.
final class ServedFiles {
  enum Told: Sendable, Equatable {
    case opened(Int), closed(Int)
    case received(Int, String)
    case crowded(Int)
    case acceptFailed(LinkError)
  }

  let server: WebServer
  let port: UInt16
  let told = Heard<Told>()

  init(token: String = "secret", host: String = "127.0.0.1", limit: Int? = nil, descriptorLimit: Int = .max)
    throws
  {
    let told = told
    let files = WebFiles(files: ["/": WebFile(type: "text/html", octets: Array("<p>here</p>".utf8))])
    server = WebServer(files: files, token: token, limit: limit, descriptorLimit: descriptorLimit) { event in
      switch event {
      case .opened(let client, _): told.add(.opened(client.number))
      case .received(let client, let text): told.add(.received(client.number, text))
      case .closed(let client): told.add(.closed(client.number))
      case .crowded(let limit): told.add(.crowded(limit))
      case .acceptFailed(let error): told.add(.acceptFailed(error))
      }
    }
    port = try server.start(host: host, port: 0)
  }

  deinit { server.stop() }

  /// A browser whose socket is open.
  func visitor() throws -> WebVisitor {
    let visitor = try WebVisitor(port: port)
    #expect(visitor.upgrade("/socket?token=secret").contains("101"))
    return visitor
  }
}

@Suite("Web server of the page", .ownThreads)
struct WebServerTests {
  @Test("Files are served completely, with headers that restrict the browser to this server")
  func files() throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    visitor.get("/")
    #expect(visitor.status().contains("200"))
    #expect(visitor.read { String(decoding: $0, as: UTF8.self).contains("<p>here</p>") })
    let text = visitor.text.lowercased()
    for header in ["content-security-policy: default-src 'self'", "x-content-type-options: nosniff"] {
      #expect(text.contains(header), "\(header)")
    }
  }

  @Test(
    "A client that has closed its sending side gets its answer, and is disconnected immediately",
    arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: here\r\n\r\n"])
  func leaving(_ request: String) throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    visitor.send(Array(request.utf8))
    visitor.endSending()
    // Half of the time that a client has for a request.
    #expect(visitor.readsEnd(within: 5000))
    #expect(visitor.text.contains("<p>here</p>") == request.hasSuffix("\r\n\r\n"))
  }

  @Test(
    "A missing file is not found",
    arguments: ["/nothing.js", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//", "/index.html/x"])
  func missing(_ path: String) throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    visitor.get(path)
    let status = visitor.status()
    #expect(!status.contains("101"))
    #expect(!visitor.text.contains("root:"))
    if path != "//" { #expect(status.contains("404") || status.contains("403"), "\(status)") }
  }

  @Test("The package's page is served with its scripts and styles")
  func bundled() throws {
    let files = try WebFiles.bundled().files
    #expect(files["/"]?.type == "text/html; charset=utf-8")
    for name in ["/main.js", "/page.css", "/favicon.svg"] { #expect(files[name] != nil, "\(name)") }
  }

  @Test(
    "A socket needs the token and a page of this server",
    arguments: [
      ("/socket", nil, "403"), ("/socket?token=", nil, "403"), ("/socket?token=guess", nil, "403"),
      ("/socket?token=secre", nil, "403"), ("/socket?token=secrets", nil, "403"),
      ("/socket?other=secret", nil, "403"), ("/socket?token=secret", "http://elsewhere", "403"),
      ("/socket?token=secret", "null", "403"), ("/socket?token=secret", "http://here", "101"),
      ("/socket?token=secret", nil, "101"),
    ] as [(String, String?, String)])
  func admission(_ path: String, _ origin: String?, _ status: String) throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    #expect(visitor.upgrade(path, origin: origin).contains(status))
  }

  @Test("Messages are delivered in both directions")
  func messages() async throws {
    let served = try ServedFiles()
    let visitor = try served.visitor()
    visitor.send(WebVisitor.frame(Array("hello".utf8)))
    #expect(await served.told.wait { $0.contains(.received(1, "hello")) })
    served.server.send("good day", to: WebClient(number: 1))
    #expect(visitor.read { String(decoding: $0, as: UTF8.self).hasSuffix("good day") })
  }

  @Test(
    "A message that is too long, not text, or not a frame ends its connection; others stay",
    arguments: [
      WebVisitor.frame([UInt8](repeating: 65, count: 20_000)), WebVisitor.frame([0xFF, 0xFE, 0xC0]),
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ])
  func badMessages(_ octets: [UInt8]) async throws {
    let served = try ServedFiles()
    let good = try served.visitor()
    let bad = try served.visitor()
    bad.send(octets)
    #expect(await served.told.wait { $0.contains(.closed(2)) })
    good.send(WebVisitor.frame(Array("still here".utf8)))
    #expect(await served.told.wait { $0.contains(.received(1, "still here")) })
    #expect(!served.told.all.contains { if case .received(2, _) = $0 { true } else { false } })
  }

  @Test("A flood of messages ends its connection")
  func flood() async throws {
    let served = try ServedFiles()
    let visitor = try served.visitor()
    let frame = WebVisitor.frame(Array("{}".utf8))
    visitor.send((0..<2000).flatMap { _ in frame })
    #expect(await served.told.wait { $0.contains(.closed(1)) })
    let taken = served.told.all.count { if case .received = $0 { true } else { false } }
    #expect(taken <= 2 * WebSocket.framesPerSecond)
  }

  @Test("A client that does not read is dropped when its queue is full")
  func stuck() async throws {
    let served = try ServedFiles()
    _ = try served.visitor()
    let stuck = try served.visitor()
    // The browser may get its answer before the server reports the client, and messages to an unknown client
    // are dropped.
    #expect(await served.told.wait { $0.contains(.opened(2)) })
    let text = String(repeating: "x", count: 60_000)
    for _ in 0..<2000 { served.server.send(text, to: WebClient(number: 2)) }
    #expect(await served.told.wait { $0.contains(.closed(2)) })
    #expect(served.server.backlog(of: WebClient(number: 2)) == 0)
    withExtendedLifetime(stuck) {}
  }

  @Test("The number of sockets is limited; one that closes makes room")
  func socketLimit() async throws {
    let served = try ServedFiles()
    var visitors = try (0..<WebServer.viewerLimit).map { _ in try served.visitor() }
    let late = try WebVisitor(port: served.port)
    #expect(late.upgrade("/socket?token=secret").contains("503"))
    visitors.removeLast()
    #expect(await served.told.wait { $0.contains { if case .closed = $0 { true } else { false } } })
    _ = try served.visitor()
  }

  @Test("Random octets end their connections and nothing else", arguments: 0..<5)
  func noise(_ seed: UInt64) async throws {
    let served = try ServedFiles()
    let good = try served.visitor()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let visitor = Bool.random(using: &generator) ? try served.visitor() : try WebVisitor(port: served.port)
      visitor.send((0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    good.send(WebVisitor.frame(Array("still here".utf8)))
    #expect(await served.told.wait { $0.contains(.received(1, "still here")) })
  }
}
