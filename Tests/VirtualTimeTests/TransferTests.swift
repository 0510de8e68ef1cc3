import Foundation
import FoundationNetworking
import NearbyDevice
import NearbyTesting
import Testing

/// The network is real and answers in real time; handlers run when virtual time moves.
@Suite("URLSession in a world", .timeLimit(.minutes(1)))
struct TransferTests {
  @Test("Completion handlers and async calls run as the phone whose code made the task")
  func handlers() async throws {
    let scene = Scene()
    let (server, log) = (try #require(LoopbackServer()), scene.logPhone)
    // One session for all, as apps share `URLSession.shared`.
    let session = URLSession(configuration: .ephemeral)
    for round in 1...3 {
      for phone in [scene.phone, scene.other] {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/\(phone.name)\(round)"))
        phone.run {
          session.dataTask(with: url) { data, _, error in
            log("\(data.map { String(decoding: $0, as: UTF8.self) } ?? "\(String(describing: error))")")
          }.resume()
          Task {
            do {
              let data = try await session.data(from: url).0
              log("async \(String(decoding: data, as: UTF8.self))")
            } catch {
              log("async \(error)")
            }
          }
        }
      }
    }
    await scene.advance(untilLines: 12)
    // The server ends with its last reference, which is this one.
    withExtendedLifetime(server) {}
    var expected: [String] = []
    for name in ["Ann", "Ben"] {
      for round in 1...3 { expected += ["\(name) /\(name)\(round)", "\(name) async /\(name)\(round)"] }
    }
    #expect(scene.textsWithoutTime.sorted() == expected.sorted())
  }

  @Test("A delegate is called as the phone whose code made the task")
  func delegate() async throws {
    let scene = Scene()
    let (server, delegate) = (try #require(LoopbackServer()), Delegate(scene.logPhone))
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: .main)
    for phone in [scene.phone, scene.other] {
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/\(phone.name)"))
      phone.run { session.dataTask(with: url).resume() }
    }
    await scene.advance(untilLines: 4)
    // The server ends with its last reference, which is this one.
    withExtendedLifetime(server) {}
    #expect(scene.textsWithoutTime.sorted() == ["Ann data /Ann", "Ann done", "Ben data /Ben", "Ben done"])
    session.invalidateAndCancel()
  }

  @Test("A request does not time out because virtual time passes")
  func timeOut() async throws {
    let scene = Scene()
    let (server, log) = (try #require(LoopbackServer()), scene.logPhone)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/late"))
    scene.phone.run {
      URLSession.shared.dataTask(with: url) { data, _, _ in log(data == nil ? "failed" : "answered") }
        .resume()
    }
    await scene.advance(untilLines: 1, by: .seconds(50))
    // The server ends with its last reference, which is this one.
    withExtendedLifetime(server) {}
    #expect(scene.history.lines.first?.hasSuffix("Ann answered") == true)
  }

  @Test(
    "A task that was created outside all phones belongs to no phone, even on a thread that served a phone's task"
  )
  func afterPhones() async throws {
    let scene = Scene()
    let log = scene.logPhone
    // The queues of Foundation's sessions and tasks are known by their names.
    let session = DispatchQueue(label: "URLSession<test>")
    func makeTask() -> DispatchQueue { DispatchQueue(label: "org.swift.URLSessionTask.SyncQ") }
    let ofPhone = scene.phone.run(makeTask)
    let ofNobody = makeTask()
    let (runs, ran) = AsyncStream.makeStream(of: Void.self)
    session.sync {
      ofPhone.sync {}
      DispatchQueue.global().async(
        execute: DispatchWorkItem(flags: .assignCurrentContext) { log("the phone's") })
      ofNobody.sync {}
      DispatchQueue.global().async(
        execute: DispatchWorkItem(flags: .assignCurrentContext) {
          log("nobody's")
          ran.yield()
        })
    }
    // In real time: the world stands still. If it never runs, the test is cancelled, and the stream ends early.
    var iterator = runs.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    await scene.advance(untilLines: 2)
    #expect(scene.textsWithoutTime == ["nobody nobody's", "Ann the phone's"])
  }

  private final class Delegate: NSObject, URLSessionDataDelegate {
    let log: @Sendable (String) -> Void
    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      log("data \(String(decoding: data, as: UTF8.self))")
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log(error == nil ? "done" : "failed")
    }
  }
}
