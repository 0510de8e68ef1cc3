import Dispatch
import Foundation
import NearbyTesting
import Testing

@Suite("Operation queues")
struct OperationTests {
  @Test("Operations of two phones in the main operation queue run as their own phones")
  func mainQueue() async {
    let scene = Scene()
    let log = scene.logPhone
    for round in 1...3 {
      for phone in [scene.phone, scene.other] {
        phone.run {
          OperationQueue.main.addOperation { log("\(round)") }
          let operation = BlockOperation {
            DispatchQueue.global().async { log("\(round) later") }
          }
          operation.qualityOfService = .utility
          OperationQueue.main.addOperation(operation)
        }
      }
    }
    await scene.world.advance(by: .seconds(1))
    var expected: [String] = []
    for name in ["Ann", "Ben"] {
      for round in 1...3 { expected += ["0 \(name) \(round)", "0 \(name) \(round) later"] }
    }
    #expect(scene.history.lines.sorted() == expected.sorted())
    #expect(scene.world.stalls == 0)
  }

  @Test("A queue that two phones share runs each operation as the phone that added it")
  func shared() async {
    let scene = Scene()
    let log = scene.logPhone
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    // Each operation after the first is enqueued by the end of the one before, which is the other phone's.
    for phone in [scene.phone, scene.other, scene.phone] {
      phone.run {
        queue.addOperation {
          Thread.sleep(forTimeInterval: 1)
          log("slept")
        }
        let operation = BlockOperation { log("utility") }
        operation.qualityOfService = .utility
        queue.addOperation(operation)
      }
    }
    await scene.world.advance(by: .seconds(4))
    #expect(
      scene.history.lines == [
        "1000 Ann slept", "1000 Ann utility", "2000 Ben slept", "2000 Ben utility", "3000 Ann slept",
        "3000 Ann utility",
      ])
    #expect(scene.world.stalls == 0)
  }

  @Test("An operation that never ran leaves the main operation queue of later worlds free")
  func ended() async {
    do {
      let scene = Scene()
      scene.phone.run { OperationQueue.main.addOperation {} }
    }
    let scene = Scene()
    let log = scene.logPhone
    scene.phone.run {
      #expect(OperationQueue.main === OperationQueue.main)
      OperationQueue.main.addOperation {
        log("\(OperationQueue.current === OperationQueue.main)")
        dispatchPrecondition(condition: .onQueue(.main))
      }
    }
    await scene.world.advance(by: .seconds(1))
    #expect(scene.history.lines == ["0 Ann true"])
  }
}
