import MultipeerConnectivity
import NearbyTesting
import TestSupport
import Testing

@Suite("Resources between phones")
struct MultipeerResourceTests {
  let pair = Pair()
  private var world: World { pair.world }
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func send(_ url: URL, as name: String = "r", _ done: ((Ending) -> Void)? = nil) -> Progress? {
    pair.atAnn.session.sendResource(at: url, withName: name, toPeer: pair.atBen.peer) { error in
      done?(Ending(error))
    }
  }

  @Test(
    "A file arrives completely, and the sender is notified when the receiver has it",
    arguments: [0, 1, 65_536, 3_000_001])
  func whole(size: Int) throws {
    pair.connect()
    let octets = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 1) })
    var endings: [Ending] = []
    let progress = try #require(send(folder.file(octets), as: "photo") { endings.append($0) })
    #expect(progress.totalUnitCount == Int64(size))
    #expect(endings.isEmpty)
    world.advance(by: .seconds(10))
    #expect(pair.atBen.history.suffix(2) == ["resource photo starts", "resource photo ends well"])
    #expect(pair.atBen.resources == [octets])
    #expect(endings == [.well])
    #expect(progress.isFinished)
    #expect(progress.fractionCompleted == 1)
  }

  @Test("Both sides see the progress, which never decreases")
  func progress() throws {
    pair.connect()
    world.setNetworkLatency(.milliseconds(50))
    var coming: Progress?
    pair.atBen.onProgress = { coming = $0 }
    let going = try #require(send(folder.file(Data(count: 8 << 20))))
    var fractions: [(Double, Double)] = []
    for _ in 0..<100 {
      world.advance(by: .milliseconds(100))
      fractions.append((going.fractionCompleted, coming?.fractionCompleted ?? 0))
    }
    for (earlier, later) in zip(fractions, fractions.dropFirst()) {
      #expect(earlier.0 <= later.0)
      #expect(earlier.1 <= later.1)
    }
    #expect(fractions.contains { 0 < $0.0 && $0.0 < 1 })
    #expect(fractions.contains { 0 < $0.1 && $0.1 < 1 })
    #expect(fractions.last?.0 == 1)
    #expect(fractions.last?.1 == 1)
    #expect(coming?.totalUnitCount == 8 << 20)
  }

  @Test("The file exists until the delegate's method returns, and is then removed")
  func lifeOfFile() throws {
    pair.connect()
    var seen: URL?
    pair.atBen.onFile = { url in
      seen = url
      #expect(FileManager.default.fileExists(atPath: url.path))
    }
    _ = send(try folder.file(Data([1])))
    world.advance(by: .seconds(1))
    let url = try #require(seen)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("A file that the delegate moves stays")
  func moved() throws {
    pair.connect()
    let kept = folder.url.appendingPathComponent("kept")
    pair.atBen.onFile = { try? FileManager.default.moveItem(at: $0, to: kept) }
    _ = send(try folder.file(Data([1, 2])))
    world.advance(by: .seconds(1))
    #expect(try Data(contentsOf: kept) == Data([1, 2]))
  }

  @Test(
    "A delegate that moves a second file to an existing name gets an error, whatever the name",
    arguments: ["plain.txt", "Überblick.pdf", "日本.txt"])
  func movedTwice(name: String) throws {
    pair.connect()
    var codes: [CocoaError.Code?] = []
    pair.atBen.onFile = { url in
      do {
        try FileManager.default.moveItem(at: url, to: folder.url.appendingPathComponent(name))
        codes.append(nil)
      } catch {
        codes.append((error as? CocoaError)?.code)
      }
    }
    for number in 1...2 {
      _ = send(try folder.file(Data([UInt8(number)])), as: name)
      world.advance(by: .seconds(1))
    }
    #expect(codes == [nil, .fileWriteFileExists])
    #expect(try Data(contentsOf: folder.url.appendingPathComponent(name)) == Data([1]))
  }

  @Test("If the sender cancels, both are notified, the sender immediately")
  func senderCancels() throws {
    pair.connect()
    world.setNetworkLatency(.milliseconds(50))
    var endings: [Ending] = []
    let progress = try #require(send(folder.file(Data(count: 8 << 20))) { endings.append($0) })
    world.advance(by: .milliseconds(500))
    #expect(endings.isEmpty)
    progress.cancel()
    #expect(progress.isCancelled)
    world.advance(by: .milliseconds(10))
    #expect(endings == [.failed(.cancelled)])
    world.advance(by: .seconds(2))
    #expect(pair.atBen.history.last == "resource r ends cancelled")
    #expect(pair.atBen.resources.isEmpty)
    progress.cancel()
    world.advance(by: .seconds(2))
    #expect(endings.count == 1)
    try checkUsable()
  }

  @Test("If the receiver cancels, both are notified")
  func receiverCancels() throws {
    pair.connect()
    world.setNetworkLatency(.milliseconds(50))
    var endings: [Ending] = []
    var coming: Progress?
    pair.atBen.onProgress = { coming = $0 }
    _ = send(try folder.file(Data(count: 8 << 20))) { endings.append($0) }
    world.advance(by: .milliseconds(500))
    try #require(coming).cancel()
    world.advance(by: .seconds(2))
    #expect(endings == [.failed(.cancelled)])
    #expect(pair.atBen.history.last == "resource r ends cancelled")
    try checkUsable()
  }

  @Test("A receiver that cancels immediately gets nothing")
  func cancelledAtOnce() throws {
    pair.connect()
    var endings: [Ending] = []
    pair.atBen.onProgress = { $0.cancel() }
    _ = send(try folder.file(Data(count: 1 << 20))) { endings.append($0) }
    world.advance(by: .seconds(2))
    #expect(endings == [.failed(.cancelled)])
    #expect(pair.atBen.history.suffix(2) == ["resource r starts", "resource r ends cancelled"])
  }

  /// Checks that the session still works, whatever happened to a transfer.
  private func checkUsable() throws {
    var endings: [Ending] = []
    _ = send(try folder.file(Data([5])), as: "after") { endings.append($0) }
    try pair.atAnn.send("and a word")
    world.advance(by: .seconds(2))
    #expect(endings == [.well])
    #expect(pair.atBen.messages.last == "ann: and a word")
  }

  @Test("A file that can't be sent ends in an error, reported later, and without progress")
  func refused() throws {
    var endings: [Ending] = []
    let file = try folder.file(Data([1]))
    #expect(send(file) { endings.append($0) } == nil)
    #expect(endings.isEmpty)
    world.advance(by: .milliseconds(10))
    #expect(endings == [.failed(.notConnected)])
    pair.connect()
    endings = []
    let web = try #require(URL(string: "ftp://host.example/file"))
    #expect(send(folder.url.appendingPathComponent("missing")) { endings.append($0) } == nil)
    #expect(send(web) { endings.append($0) } == nil)
    #expect(send(file, as: String(repeating: "n", count: 1025)) { endings.append($0) } == nil)
    world.advance(by: .milliseconds(10))
    #expect(endings == [.failed(.invalidParameter), .failed(.unsupported), .failed(.invalidParameter)])
  }

  @Test("Nothing fails without a completion handler and a delegate")
  func nobodyListens() throws {
    pair.connect()
    pair.atBen.session.delegate = nil
    #expect(
      pair.atAnn.session.sendResource(
        at: try folder.file(Data([1])), withName: "r", toPeer: pair.atBen.peer) != nil)
    world.advance(by: .seconds(1))
    pair.atBen.session.delegate = pair.atBen
    try checkUsable()
  }

  @Test("A file that shrinks during the transfer fails at both ends")
  func shrinks() throws {
    pair.connect()
    world.setNetworkLatency(.milliseconds(50))
    let url = try folder.file(Data(count: 4 << 20))
    var endings: [Ending] = []
    _ = send(url) { endings.append($0) }
    world.advance(by: .milliseconds(400))
    try FileHandle(forUpdating: url).truncate(atOffset: 10)
    world.advance(by: .seconds(5))
    #expect(endings.count == 1)
    #expect(endings != [.well])
    #expect(pair.atBen.history.last?.hasPrefix("resource r ends") == true)
    #expect(pair.atBen.resources.isEmpty)
  }

  @Test("When the peer disconnects or is cut off, both are notified", arguments: [true, false])
  func peerGoes(byDisconnect: Bool) throws {
    pair.connect()
    world.setNetworkLatency(.milliseconds(50))
    var endings: [Ending] = []
    _ = send(try folder.file(Data(count: 8 << 20))) { endings.append($0) }
    world.advance(by: .milliseconds(500))
    if byDisconnect { pair.atBen.session.disconnect() } else { world.partition(pair.ann, pair.ben) }
    world.advance(by: .seconds(30))
    #expect(endings.count == 1)
    #expect(endings != [.well])
    #expect(pair.atBen.history.contains { $0.hasPrefix("resource r ends") })
    #expect(pair.atBen.resources.isEmpty)
  }

  @Test("A transfer survives broken connections and loss")
  func mended() throws {
    pair.connect()
    world.setNetworkLoss(0.05)
    let octets = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 2) })
    var endings: [Ending] = []
    _ = send(try folder.file(octets)) { endings.append($0) }
    for _ in 0..<10 {
      world.advance(by: .milliseconds(300))
      world.breakConnections(pair.ann, pair.ben)
    }
    world.advance(by: .seconds(60))
    #expect(endings == [.well])
    #expect(pair.atBen.resources == [octets])
  }

  @Test("Messages and small files overtake a large file")
  func sharing() throws {
    pair.connect()
    let large = try folder.file(Data(count: 100 << 20))
    var endings: [String] = []
    _ = send(large, as: "large") { endings.append("large \($0)") }
    world.advance(by: .milliseconds(20))
    _ = send(try folder.file(Data([1])), as: "small") { endings.append("small \($0)") }
    try pair.atAnn.send("word")
    world.advance(by: .milliseconds(100))
    #expect(pair.atBen.messages == ["ann: word"])
    #expect(endings == ["small well"])
    pair.atBen.onFile = { url in
      let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
      #expect(size == 100 << 20)
    }
    #expect(world.advance(until: { endings.count == 2 }, within: .seconds(60)))
    #expect(endings == ["small well", "large well"])
  }

  @Test("Transfers continue when the progress is released")
  func progressReleased() throws {
    pair.connect()
    var endings: [Ending] = []
    _ = send(try folder.file(Data(count: 2 << 20))) { endings.append($0) }
    world.advance(by: .seconds(5))
    #expect(endings == [.well])
  }
}

/// How a transfer ended for the sender of the resource.
enum Ending: Equatable, CustomStringConvertible {
  case well
  case failed(MCError.Code?)

  init(_ error: (any Error)?) { self = error.map { .failed(($0 as? MCError)?.code) } ?? .well }

  var description: String {
    switch self {
    case .well: "well"
    case .failed(let code): "failed \(code.map { "\($0)" } ?? "otherwise")"
    }
  }
}
