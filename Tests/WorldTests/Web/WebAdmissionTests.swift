import Foundation
import NearbyRadioLinks
import TestSupport
import Testing

@testable import NearbyWorld

/// Who may open a running server's socket, tested with raw octets.
@Suite("Admission of the page's connections", .ownThreads)
struct WebAdmissionTests {
  @Test(
    "Without a token only loopback names and the bound host are accepted as Host",
    arguments: [
      ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1", true), ("127.9.9.9:1", true),
      ("[::1]:8080", true), ("evil.example", false), ("evil.example:8080", false), ("192.168.1.7", false),
      ("127.0.0.1.evil.example", false), ("localhost.evil.example", false), ("0.0.0.0", false),
      ("[::]", false),
      ("2130706433", false), ("127.1", false), ("", false), ("localhost:x", false), ("here", false),
    ])
  func host(_ host: String, _ isAccepted: Bool) throws {
    let served = try ServedFiles(token: "")
    let file = try WebVisitor(port: served.port)
    file.get("/", host: host)
    #expect(file.status().contains(isAccepted ? "200" : "421"))
    let socket = try WebVisitor(port: served.port)
    #expect(socket.upgrade("/socket", host: host).contains(isAccepted ? "101" : "421"))
    // A page that was loaded through a rebound name has that name as its origin.
    let rebound = try WebVisitor(port: served.port)
    #expect(
      rebound.upgrade("/socket", host: host, origin: "http://\(host)").contains(isAccepted ? "101" : "421"))
  }

  @Test("The configured host is accepted as Host without a token")
  func boundHost() throws {
    let name = ProcessInfo.processInfo.hostName
    guard let served = try? ServedFiles(token: "", host: name) else { return }
    let visitor = try WebVisitor(host: name, port: served.port)
    #expect(visitor.upgrade("/socket", host: "\(name):\(served.port)").contains("101"))
  }

  @Test(
    "With a token any Host is accepted, because the token cannot be guessed",
    arguments: ["evil.example", "10.0.0.1:80"])
  func hostWithToken(_ host: String) throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    #expect(visitor.upgrade(host: host).contains("101"))
  }

  @Test(
    "Another page's Origin is refused, however long it is",
    arguments: [7, 100, 500, 511, 512, 513, 1023, 1024, 2048, 4095, 4096, 4097, 8191, 15_000])
  func longOrigin(_ length: Int) throws {
    let served = try ServedFiles(token: "")
    let visitor = try WebVisitor(port: served.port)
    let origin = "http://" + String(repeating: "a", count: length - 7)
    #expect(visitor.upgrade("/socket", host: "localhost", origin: origin).contains("403"))
    // An origin that starts like the right one.
    let other = try WebVisitor(port: served.port)
    let similar = "http://localhost" + String(repeating: " ", count: length) + ".evil.example"
    #expect(other.upgrade("/socket", host: "localhost", origin: similar).contains("403"))
  }

  @Test(
    "A head of more than 16 KiB is refused as a whole", arguments: ["Origin: http://", "Cookie: ", "Host: "])
  func longHead(_ field: String) throws {
    let served = try ServedFiles(token: "")
    let visitor = try WebVisitor(port: served.port)
    let line = field + String(repeating: "a", count: 20_000)
    #expect(visitor.upgrade("/socket", host: "localhost", headers: [line]).contains("431"))
    #expect(visitor.readsEnd())
  }

  @Test(
    "An ambiguous request is refused",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n",
      "GET http://evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
      "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "GET /socket?token=secret HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Protocol: nearby-world\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: short\r\n\r\n",
    ])
  func ambiguous(_ request: String) throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    visitor.send(Array(request.utf8))
    #expect(visitor.status() == "HTTP/1.1 400 Bad Request")
    #expect(visitor.readsEnd())
  }

  @Test("HTTP/2 is not supported, neither by upgrade nor by prior knowledge")
  func secondVersion() throws {
    let served = try ServedFiles(token: "")
    let upgrading = try WebVisitor(port: served.port)
    upgrading.get(
      "/", host: "localhost",
      headers: ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"])
    #expect(upgrading.status() == "HTTP/1.1 200 OK")
    let knowing = try WebVisitor(port: served.port)
    knowing.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
    #expect(knowing.status().contains("505"))
    #expect(knowing.readsEnd())
  }

  @Test("Pipelined requests are answered in order on one connection")
  func pipelined() throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    let request = "GET /%@ HTTP/1.1\r\nHost: here\r\n\r\n"
    visitor.send(Array((request.replacing("%@", with: "") + request.replacing("%@", with: "")).utf8))
    #expect(
      visitor.read { String(decoding: $0, as: UTF8.self).components(separatedBy: "<p>here</p>").count == 3 })
    visitor.send(Array(request.replacing("%@", with: "nothing").utf8))
    #expect(visitor.read { String(decoding: $0, as: UTF8.self).contains("no such page") })
    #expect(visitor.readsEnd())
  }

  @Test("Frames sent together with the upgrade request are read")
  func impatient() async throws {
    let served = try ServedFiles()
    let visitor = try WebVisitor(port: served.port)
    let head = [
      "GET /socket?token=secret HTTP/1.1", "Host: here", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: nearby-world", "", "",
    ].joined(separator: "\r\n")
    visitor.send(Array(head.utf8) + WebVisitor.frame(Array("at once".utf8)))
    #expect(await served.told.wait { $0.contains(.received(1, "at once")) })
    #expect(visitor.status().contains("101"))
    // RFC 6455 §1.3 has this key and this answer.
    #expect(visitor.text.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
  }

  @Test(
    "An unmasked frame ends its connection and is not delivered",
    arguments: [
      [0x81, 2, 0x68, 0x69], [0x81, 126, 0, 200] + [UInt8](repeating: 0x68, count: 200), [0x89, 0],
      [0x88, 0],
    ] as [[UInt8]])
  func unmasked(_ frame: [UInt8]) async throws {
    let served = try ServedFiles()
    let visitor = try served.visitor()
    visitor.send(frame)
    #expect(await served.told.wait { $0.contains(.closed(1)) })
    #expect(visitor.readsEnd())
    // 1002: protocol error.
    #expect(visitor.heard.suffix(4) == [0x88, 2, 0x03, 0xEA])
    #expect(!served.told.all.contains { if case .received = $0 { true } else { false } })
  }
}
