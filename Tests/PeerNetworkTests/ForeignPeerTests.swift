import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

@Suite("Another DNS-SD implementation", .tags(.slow), .ownThreads)
struct ForeignPeerTests {
  enum Place: String, CaseIterable, Sendable { case sameMachine, acrossAWire }

  @Test(
    "PyPI's zeroconf and our DNS-SD find each other and see changed texts and goodbyes",
    arguments: Place.allCases)
  func mutual(place: Place) async throws {
    let python = try Zeroconf.python()
    let wire = try place == .acrossAWire ? Self.wire() : nil
    let type = DiscoveryTests.freshType()
    let ours = try PeerProcess(type, "ours", in: wire?.right)
    let port = try await ours.place().port
    let theirs = try PeerProcess(
      program: python, ["-u", Zeroconf.script, type, "theirs", "4711"], in: wire?.left)
    try await theirs.line("registered theirs")
    let seen = try await theirs.line("found ours")
    #expect(seen.hasPrefix("found ours \(port) "), "\(seen)")
    #expect(seen.hasSuffix(" key=value"), "\(seen)")
    let found = try await ours.line("found theirs other 4711 ")
    #expect(found.hasSuffix(" empty=;flag;key=value"), "\(found)")
    if wire != nil {
      try await ours.said.until {
        $0.contains { $0.contains(" theirs other 4711 ") && $0.contains("10.99.0.1") }
      }
      try await theirs.said.until { $0.contains { $0.contains(" ours ") && $0.contains("10.99.0.2") } }
    }
    ours.writeLine("text ours2")
    try await theirs.said.until {
      $0.contains { $0.hasPrefix("changed ours ") && $0.hasSuffix(" key=ours2") }
    }
    theirs.writeLine("theirs2")
    try await ours.said.until {
      $0.contains { $0.hasPrefix("changed theirs ") && $0.hasSuffix(";key=theirs2") }
    }
    try await theirs.finish()
    try await ours.line("lost theirs")
    let again = try PeerProcess(
      program: python, ["-u", Zeroconf.script, type, "again", "4712"], in: wire?.left)
    try await again.line("found ours")
    try await ours.finish()
    try await again.line("lost ours")
  }

  @Test("A service name belongs to its first owner, whether that is zeroconf or ours")
  func names() async throws {
    let python = try Zeroconf.python()
    let type = DiscoveryTests.freshType()
    let ours = try PeerProcess(type, "one")
    try await ours.line("registered one")
    let late = try PeerProcess(program: python, ["-u", Zeroconf.script, type, "one", "4711", "one"])
    try await late.line("taken one")
    let theirs = try PeerProcess(program: python, ["-u", Zeroconf.script, type, "two", "4712"])
    try await theirs.line("registered two")
    let next = try PeerProcess(type, "two")
    try await next.line("registered two #2")
  }

  private static func wire() throws -> Namespaces {
    guard Namespaces.areAllowed else {
      try Test.cancel(
        "\(InstalledTool.missing(of: [.ip]) ?? "network namespaces are not permitted here: run as root")")
    }
    return try Namespaces(wires: 1)
  }
}

/// PyPI's zeroconf in a virtual environment under `.build`, installed on first use.
enum Zeroconf {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let script = root.appendingPathComponent("Tests/Foreign/dnssd_peer.py").path

  private static let made: Result<String, Missing> = {
    let folder = root.appendingPathComponent(".build/zeroconf").path
    let python = "\(folder)/bin/python"
    let isThere = "\(python) -c 'import zeroconf' 2>/dev/null"
    if Spawning.shell(isThere).status == 0 { return .success(python) }
    // A lock, because two test runs must not build the same environment at the same time.
    let (_, output) = Spawning.shell(
      """
      mkdir -p '\(folder)' && flock '\(folder)' sh -c "\(isThere) || {
      timeout 60 python3 -m venv '\(folder)' &&
      timeout 60 \(python) -m pip install -q --disable-pip-version-check --retries 0 --timeout 10 zeroconf; }"
      """)
    if Spawning.shell(isThere).status == 0 { return .success(python) }
    let line = output.split(separator: "\n").last ?? "no output"
    return .failure(Missing(text: "python3 with PyPI's zeroconf cannot be installed here: \(line)"))
  }()
  private struct Missing: Error { var text: String }

  /// The interpreter. Cancels the test if it is unavailable.
  static func python() throws -> String {
    switch made {
    case .success(let python): python
    case .failure(let missing): try Test.cancel("\(missing.text)")
    }
  }
}
