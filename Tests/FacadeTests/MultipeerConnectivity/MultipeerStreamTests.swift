import MultipeerConnectivity
import NearbyTesting
import Testing

@Suite("Streams between phones")
struct MultipeerStreamTests {
  let pair = Pair()
  private var world: World { pair.world }

  /// A stream from Ann to Ben that has not been opened.
  private func makeStream(_ name: String = "s") throws -> (OutputStream, InputStream) {
    pair.connect()
    let output = try pair.atAnn.session.startStream(withName: name, toPeer: pair.atBen.peer)
    world.advance(by: .seconds(1))
    return (output, try #require(pair.atBen.streams.last))
  }

  @Test("A program that polls without a run loop can read what was written")
  func polling() throws {
    let (output, input) = try makeStream("words")
    #expect(pair.atBen.history.last == "stream words")
    #expect((input.streamStatus, output.streamStatus) == (.notOpen, .notOpen))
    #expect(output.write([1], maxLength: 1) == -1)
    output.open()
    input.open()
    #expect((input.streamStatus, output.streamStatus) == (.open, .open))
    #expect(output.hasSpaceAvailable)
    #expect(!input.hasBytesAvailable)
    #expect(output.write(Array("hello".utf8), maxLength: 5) == 5)
    #expect(!input.hasBytesAvailable)
    world.advance(by: .seconds(1))
    #expect(input.hasBytesAvailable)
    #expect(input.readAll(3) == Array("hello".utf8))
    #expect(input.streamStatus == .open)
  }

  @Test("A message written before the peer knows of the stream is not lost")
  func atOnce() throws {
    pair.connect()
    let output = try pair.atAnn.session.startStream(withName: "s", toPeer: pair.atBen.peer)
    output.open()
    #expect(output.write([1, 2, 3], maxLength: 3) == 3)
    output.close()
    world.advance(by: .seconds(1))
    let input = try #require(pair.atBen.streams.last)
    input.open()
    #expect(input.readAll() == [1, 2, 3])
    #expect(input.streamStatus == .atEnd)
  }

  @Test("The end comes after everything that was written")
  func end() throws {
    let (output, input) = try makeStream()
    output.open()
    input.open()
    _ = output.write([1, 2], maxLength: 2)
    output.close()
    #expect(output.streamStatus == .closed)
    #expect(output.write([3], maxLength: 1) == -1)
    world.advance(by: .seconds(1))
    #expect(input.streamStatus == .open)
    #expect(input.readAll() == [1, 2])
    #expect(input.streamStatus == .atEnd)
    #expect(input.streamError == nil)
    input.close()
    #expect(input.streamStatus == .closed)
  }

  @Test("Delegates get events when scheduled in a run loop that does not run")
  func events() throws {
    let (output, input) = try makeStream()
    let writer = StreamRecorder(output)
    let reader = StreamRecorder(input)
    #expect(writer.history.isEmpty)
    world.advance(by: .seconds(1))
    #expect(writer.history == ["open", "space"])
    #expect(reader.history == ["open"])
    _ = output.write([1, 2, 3], maxLength: 3)
    #expect(reader.history == ["open"])
    world.advance(by: .seconds(1))
    #expect(writer.history == ["open", "space", "space"])
    #expect(reader.history == ["open", "octets"])
    // There is no second event until something is read.
    _ = output.write([4], maxLength: 1)
    world.advance(by: .seconds(1))
    #expect(reader.history == ["open", "octets"])
    #expect(input.readAll(2) == [1, 2, 3, 4])
    output.close()
    world.advance(by: .seconds(1))
    #expect(reader.history == ["open", "octets", "end"])
    #expect(writer.history == ["open", "space", "space", "space"])
  }

  @Test("Without being scheduled, or without a delegate, there are no events")
  func unscheduled() throws {
    let (output, input) = try makeStream()
    let reader = StreamRecorder(input)
    input.remove(from: .current, forMode: .default)
    var other: StreamRecorder? = StreamRecorder(output)
    weak let delegate = other
    other = nil
    world.advance(by: .seconds(1))
    #expect(delegate == nil)
    #expect(output.delegate == nil)
    #expect(reader.history.isEmpty)
    input.schedule(in: .current, forMode: .default)
    world.advance(by: .seconds(1))
    #expect(reader.history == ["open"])
  }

  @Test("Megabytes arrive at the reader's pace, complete and in order")
  func pressure() throws {
    let (output, input) = try makeStream()
    output.open()
    input.open()
    let sent = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    var (written, received) = (0, [UInt8]())
    // Without a reader, the sender stops accepting octets when the buffers of the network and of both sides
    // are full.
    for _ in 0..<50 {
      if output.hasSpaceAvailable {
        written += output.write(Array(sent[written...]), maxLength: sent.count - written)
      }
      world.advance(by: .milliseconds(20))
    }
    #expect(!output.hasSpaceAvailable)
    #expect(output.write(sent, maxLength: 1) == 0)
    #expect(written < 512 << 10)
    for _ in 0..<2000 where received.count < sent.count {
      received += input.readAll(100_000)
      if output.hasSpaceAvailable {
        written += output.write(Array(sent[written...]), maxLength: sent.count - written)
      }
      world.advance(by: .milliseconds(5))
    }
    #expect(received == sent)
  }

  @Test("A megabyte arrives if both sides respond to stream events as in Apple's guide")
  func pumped() throws {
    let (output, input) = try makeStream()
    let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) }
    let writer = StreamRecorder(output, writes: sent)
    let reader = StreamRecorder(input, reads: true)
    world.advance(by: .seconds(30))
    #expect(reader.octets == sent)
    #expect(reader.history.last == "end")
    #expect(writer.history.last == "space")
  }

  @Test("A reader that closes ends the writer with an error")
  func readerCloses() throws {
    let (output, input) = try makeStream()
    let writer = StreamRecorder(output)
    input.open()
    world.advance(by: .seconds(1))
    input.close()
    world.advance(by: .seconds(1))
    #expect(writer.history == ["open", "space", "error"])
    #expect(output.streamStatus == .error)
    #expect((output.streamError as? MCError)?.code == .cancelled)
    #expect(output.write([1], maxLength: 1) == -1)
    #expect(!output.hasSpaceAvailable)
  }

  @Test("Releasing a stream closes it, on the reader's side and on the writer's")
  func released() throws {
    let (output, _) = try makeStream()
    let writer = StreamRecorder(output)
    pair.atBen.streams = []
    world.advance(by: .seconds(1))
    #expect(writer.history.last == "error")
    var second: OutputStream? = try pair.atAnn.session.startStream(withName: "b", toPeer: pair.atBen.peer)
    world.advance(by: .seconds(1))
    let input = try #require(pair.atBen.streams.last)
    let reader = StreamRecorder(input)
    #expect(second?.streamStatus == .notOpen)
    second = nil
    world.advance(by: .seconds(1))
    #expect(reader.history == ["open", "end"])
  }

  @Test("When the connection ends, received octets can be read, and then both sides get an error")
  func connectionEnds() throws {
    let (output, input) = try makeStream()
    let writer = StreamRecorder(output)
    let reader = StreamRecorder(input)
    _ = output.write([9], maxLength: 1)
    world.advance(by: .seconds(1))
    pair.atAnn.session.disconnect()
    world.advance(by: .seconds(1))
    #expect(writer.history.last == "error")
    #expect(reader.history.last == "octets")
    #expect(input.readAll() == [9])
    world.advance(by: .seconds(1))
    #expect(reader.history.last == "error")
    #expect(input.streamError is MCError)
    var octet: UInt8 = 0
    #expect(input.read(&octet, maxLength: 1) == -1)
  }

  @Test("Streams survive broken connections")
  func mended() throws {
    let (output, input) = try makeStream()
    output.open()
    input.open()
    var received: [UInt8] = []
    for number in 0..<20 {
      #expect(output.write([UInt8(number)], maxLength: 1) == 1)
      world.breakConnections(pair.ann, pair.ben)
      world.advance(by: .seconds(2))
      received += input.readAll()
    }
    #expect(received == (0..<20).map(UInt8.init))
  }

  @Test("Streams in both directions and several at a time do not mix")
  func several() throws {
    pair.connect()
    let names = (0..<10).map { "stream \($0)" }
    let outputs = try names.map { name in
      let from = name.hasSuffix("1") || name.hasSuffix("7") ? pair.atBen : pair.atAnn
      let to = from === pair.atAnn ? pair.atBen : pair.atAnn
      return try from.session.startStream(withName: name, toPeer: to.peer)
    }
    for (output, name) in zip(outputs, names) {
      output.open()
      _ = output.write(Array(name.utf8), maxLength: name.utf8.count)
      output.close()
    }
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.streams.count == 2)
    let received = (pair.atAnn.streams + pair.atBen.streams).map { input in
      input.open()
      return String(decoding: input.readAll(), as: UTF8.self)
    }
    #expect(received.sorted() == names)
  }

  @Test("A stream to a peer that is not connected is refused, and so is a name that is too long")
  func refused() throws {
    func code(_ name: String) -> MCError.Code? {
      do {
        _ = try pair.atAnn.session.startStream(withName: name, toPeer: pair.atBen.peer)
        return nil
      } catch { return (error as? MCError)?.code }
    }
    #expect(code("s") == .notConnected)
    pair.connect()
    #expect(code(String(repeating: "s", count: 1025)) == .invalidParameter)
    #expect(code(String(repeating: "s", count: 1024)) == nil)
  }

  @Test("Streams of a session that is released end")
  func sessionReleased() throws {
    let world = World(seed: 3, drainsMainQueue: false)
    let ann = world.addPhone("Ann")
    let ben = world.addPhone("Ben", at: [0, 3, 1.2])
    var atAnn: Networker? = ann.launch { Networker("ann") }
    let atBen = ben.launch { Networker("ben") }
    atAnn?.start()
    atBen.start()
    world.advance(by: .seconds(1))
    atAnn?.invite(atBen)
    world.advance(by: .seconds(1))
    let output = try #require(try atAnn?.session.startStream(withName: "s", toPeer: atBen.peer))
    output.open()
    world.advance(by: .seconds(1))
    weak let session = atAnn?.session
    atAnn = nil
    #expect(session == nil)
    #expect(output.streamStatus == .error)
    #expect(output.write([1], maxLength: 1) == -1)
    let input = try #require(atBen.streams.last)
    input.open()
    world.advance(by: .seconds(1))
    #expect(input.streamStatus == .error)
  }
}

extension InputStream {
  /// Everything that can be read now, in pieces.
  func readAll(_ piece: Int = 4096) -> [UInt8] {
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: piece))
    while hasBytesAvailable {
      let count = read(&buffer, maxLength: piece)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    return all
  }
}

/// Opens a stream as Apple's guide does, and records its events.
final class StreamRecorder: NSObject, StreamDelegate {
  private(set) var history: [String] = []
  private(set) var octets: [UInt8] = []
  private let reads: Bool
  private var writes: ArraySlice<UInt8>

  init(_ stream: Stream, reads: Bool = false, writes: [UInt8] = []) {
    self.reads = reads
    self.writes = writes[...]
    super.init()
    stream.delegate = self
    stream.schedule(in: .current, forMode: .default)
    stream.open()
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .openCompleted: history.append("open")
    case .hasBytesAvailable:
      history.append("octets")
      guard reads, let input = aStream as? InputStream else { return }
      var buffer = [UInt8](repeating: 0, count: 10_000)
      let count = input.read(&buffer, maxLength: buffer.count)
      octets += buffer[..<max(count, 0)]
    case .hasSpaceAvailable:
      history.append("space")
      guard !writes.isEmpty, let output = aStream as? OutputStream else { return }
      let count = output.write(Array(writes.prefix(5000)), maxLength: min(writes.count, 5000))
      writes = writes.dropFirst(max(count, 0))
      if writes.isEmpty { output.close() }
    case .endEncountered: history.append("end")
    case .errorOccurred: history.append("error")
    default: history.append("?")
    }
  }
}
