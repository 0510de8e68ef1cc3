import Foundation
import TestSupport
import Testing

/// Processes whose apps are slow, or that strangers connect to.
@Suite("MultipeerConnectivity under pressure, between processes", .ownThreads, .tags(.slow))
struct PressureTests {
  /// A service type that no other test uses.
  private let type = "t\(UInt32.random(in: 0...99_999_999))"

  private func pair(_ more: String...) throws -> (ann: ProbeProcess, ben: ProbeProcess) {
    let ann = try ProbeProcess(["ann", "--type", type] + more)
    let ben = try ProbeProcess(["ben", "--type", type])
    ann.expect("ready")
    ben.expect("ready")
    ben.write("advertise")
    ann.write("browse", "invite-all")
    ann.expect("state ben connected")
    ben.expect("state ann connected")
    return (ann, ben)
  }

  /// Resident memory in kilobytes, and unread octets of messages.
  private func memory(_ probe: ProbeProcess) throws -> (resident: Int, unread: Int) {
    probe.write("memory")
    let numbers = probe.expect("memory").split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 2)
    return (numbers[0], numbers[1])
  }

  /// Waits until a probe holds more than 8 MiB of messages that its app has not received.
  private func waitUntilFull(_ probe: ProbeProcess) throws {
    try waitByPolling(for: "more than 8 MiB of unread messages") {
      try memory(probe)
    } until: {
      $0.unread > 8 << 20
    }
  }

  private func waitUntilRead(_ probe: ProbeProcess) throws {
    try waitByPolling(for: "no unread messages") {
      try memory(probe)
    } until: {
      $0.unread == 0
    }
  }

  @Test("A blocked delegate does not let memory grow; afterwards everything arrives in order")
  func slowDelegate() throws {
    let (ann, ben) = try pair()
    ann.write("flood 1000")
    ben.expect("counted ann 1000")
    let before = try memory(ben)
    ben.write("hold")
    // After the thousand messages: 200 MiB, which stay with the sender.
    ann.write("bulk 3200")
    ann.expect("sent 3200")
    try waitUntilFull(ben)
    // The other direction still works, and so do its callbacks.
    ben.write("send still here")
    ann.expect("data ben still here")
    let held = try memory(ben)
    #expect(held.unread < 10 << 20)
    #expect(held.resident - before.resident < 64 << 10)
    // Unreliable messages are lost without further effect.
    ann.write("loose lost")
    ben.write("go")
    // The first new message is not the next one after the thousand.
    ben.expect("order ann 0 instead of 1000")
    for count in [1000, 2000, 3000] { ben.expect("counted ann \(count)") }
    try waitUntilRead(ben)
    #expect(ben.said("order") == [])
    #expect(ben.said("state ann notConnected") == [])
    #expect(ann.said("state ben notConnected") == [])
  }

  @Test("Sending to a peer that reads nothing fails in the end; accepted messages still arrive later")
  func fullQueue() throws {
    let (ann, ben) = try pair()
    ben.write("hold")
    ann.write("bulk 8000")
    let words = ann.expect("full").split(separator: " ")
    let sent = try #require(words.count > 1 ? Int(words[1]) : nil)
    #expect(sent >= (256 << 20) / 65_541)
    #expect(sent < 8000)
    #expect(words.joined(separator: " ").contains("unavailable"))
    ben.write("go")
    let last = sent / 1000 * 1000
    for count in stride(from: 1000, through: last, by: 1000) { ben.expect("counted ann \(count)") }
    ann.write("send end")
    ben.expect("data ann end")
    #expect(ben.said("order") == [])
  }

  @Test("Disconnecting a session whose delegate is blocked ends it on both sides")
  func leftWhileHeld() throws {
    let (ann, ben) = try pair()
    ben.write("hold")
    ann.write("bulk 3200")
    ann.expect("sent 3200")
    try waitUntilFull(ben)
    ben.write("disconnect")
    ann.expect("state ben notConnected")
    ben.write("go")
    ben.expect("state ann notConnected")
    try waitUntilRead(ben)
  }

  @Test("Plain text sent to a live session's port is refused and leaks nothing; the session is not disturbed")
  func plainText() throws {
    let (ann, ben) = try pair()
    // The kernel's table may omit a line while other connections open and close.
    let found = try waitByPolling(for: "Ben's port") {
      ben.listeningPort
    } until: {
      $0 != nil
    }
    let port = try #require(found)
    func talk(_ text: String) {
      let ended = PlainClient.talk(text, to: port)
      #expect(ended, "a connection that sent \(text.debugDescription) was not closed")
    }
    for text in ["GET / HTTP/1.1\r\n\r\n", "NRBY\u{1}\0\0\0", "\u{16}\u{3}\u{1}garbage garbage"] {
      talk(text)
    }
    ann.write("flood 1000")
    ben.expect("counted ann 1000")
    let before = (try memory(ben).resident, ben.descriptorCount)
    ann.write("flood-on 1000")
    for _ in 0..<200 { talk(String(repeating: "hello there ", count: 100)) }
    ben.expect("counted ann 2000")
    try waitByPolling(for: "no more descriptors than the first \(before.1)") {
      ben.descriptorCount
    } until: {
      $0 <= before.1
    }
    #expect(try Sanitizers.isActive || memory(ben).resident - before.0 < 8 << 10)
    #expect(ben.said("order") == [])
    #expect(ben.said("state ann notConnected") == [])
    #expect(ann.said("state ben notConnected") == [])
  }

  @Test(
    "The other process receives the app's own certificate, and the session connects",
    .needs(.openssl))
  func ownCertificate() throws {
    let folder = try TemporaryFolder()
    let (key, certificate) = (folder.url.appending(path: "key.pem"), folder.url.appending(path: "own.pem"))
    let made = Spawning.shell(
      """
      cd '\(folder.url.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
      -subj /CN=host.example -days 2 -keyout key.pem -out own.pem && openssl x509 -in own.pem -outform der \
      -out own.der && cat own.pem >> key.pem
      """)
    try #require(made.status == 0, "\(made.output)")
    try #require(FileManager.default.fileExists(atPath: certificate.path))
    let octets = try Data(contentsOf: folder.url.appending(path: "own.der"))
    let (ann, ben) = try pair("--identity", key.path)
    #expect(ben.expect("certificate ann") == "certificate ann \(PeerProcessTests.hash(octets))")
    // Ben has no certificate of his own, so his peer key's certificate is used.
    #expect(ann.expect("certificate ben").hasPrefix("certificate ben \(octets.count):") == false)
    ann.write("send signed")
    ben.expect("data ann signed")
  }
}
