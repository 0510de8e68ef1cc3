import Dispatch
import Foundation
import NearbyTesting
import Testing

/// Sources fire in real time; their handlers run when virtual time moves.
@Suite("Sources of descriptors and signals", .timeLimit(.minutes(1)))
struct SourceTests {
  @Test("A read source calls its handler as its phone")
  func read() async throws {
    let scene = Scene()
    let (pipe, log) = (try #require(OctetPipe()), scene.logPhone)
    let source = scene.phone.run {
      let source = DispatchSource.makeReadSource(fileDescriptor: pipe.input, queue: .main)
      source.setEventHandler { log("read \(pipe.read())") }
      pipe.stayOpen(until: source)
      source.activate()
      return source
    }
    for octet in UInt8(1)...3 {
      pipe.write(octet)
      await scene.advance(untilLines: Int(octet))
    }
    scene.phone.run { source.cancel() }
    #expect(scene.textsWithoutTime == ["Ann read 1", "Ann read 2", "Ann read 3"])
  }

  @Test("A write source calls its handler as its phone, once a piece")
  func write() async throws {
    let scene = Scene()
    let (pipe, log) = (try #require(OctetPipe()), scene.logPhone)
    let source = scene.phone.run {
      let source = DispatchSource.makeWriteSource(fileDescriptor: pipe.output, queue: .global())
      source.setEventHandler { log("write") }
      pipe.stayOpen(until: source)
      source.activate()
      return source
    }
    await scene.advance(untilLines: 3)
    scene.phone.run { source.cancel() }
    #expect(Set(scene.textsWithoutTime) == ["Ann write"])
  }

  @Test("A signal source calls its handler as its phone")
  func signal() async {
    let scene = Scene()
    let log = scene.logPhone
    Foundation.signal(SIGURG, SIG_IGN)
    let source = scene.phone.run {
      let source = DispatchSource.makeSignalSource(signal: SIGURG, queue: .main)
      source.setEventHandler { log("signal") }
      source.activate()
      return source
    }
    // A signal that comes before the source listens is lost.
    while scene.history.lines.isEmpty {
      kill(getpid(), SIGURG)
      await scene.world.advance(by: .milliseconds(1))
    }
    scene.phone.run { source.cancel() }
    #expect(Set(scene.textsWithoutTime) == ["Ann signal"])
  }

  @Test("A source can be given another queue, in a world and outside")
  func target() async throws {
    let scene = Scene()
    let (pipe, outside, log) = (try #require(OctetPipe()), try #require(OctetPipe()), scene.logPhone)
    let queue = DispatchQueue(label: "target")
    func make(_ pipe: OctetPipe, _ text: String) -> any DispatchSourceRead {
      let source = DispatchSource.makeReadSource(fileDescriptor: pipe.input)
      (source as? DispatchObject)?.setTarget(queue: queue)
      source.setEventHandler {
        dispatchPrecondition(condition: .onQueue(queue))
        log("\(text) \(pipe.read())")
      }
      pipe.stayOpen(until: source)
      source.activate()
      return source
    }
    let sources = [scene.phone.run { make(pipe, "inside") }, make(outside, "outside")]
    pipe.write(1)
    await scene.advance(untilLines: 1)
    outside.write(2)
    await scene.advance(untilLines: 2)
    scene.phone.run { sources[0].cancel() }
    sources[1].cancel()
    #expect(scene.textsWithoutTime == ["Ann inside 1", "nobody outside 2"])
  }
}
