import Dispatch
import Foundation
import NearbyDevice
import NearbyTesting
import NearbyVirtualTime
import Synchronization
import Testing

@Suite("Apps that keep a world waiting")
struct StallTests {
  @Test("A real wait loses its turn, and the world goes on")
  func realWait() async throws {
    let world = World(seed: 1)
    let history = History()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let (input, output) = (ends[0], ends[1])
    world.addPhone("Ann", at: [0, 0, 0]).launch {
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
        var octet: UInt8 = 0
        read(input, &octet, 1)
        history.add("read \(octet)")
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
        history.add("write")
        withUnsafeBytes(of: UInt8(7)) { _ = write(output, $0.baseAddress, 1) }
      }
    }
    await world.advance(by: .seconds(3))
    #expect(world.stalls == 1)
    while history.lines.count < 2 { await Task.yield() }
    #expect(history.lines == ["write", "read 7"])
  }

  @Test(
    "A queue whose piece lost its turn runs its other pieces once that piece has ended",
    .timeLimit(.minutes(1)))
  func queueAfterStall() async throws {
    let scene = Scene()
    let (pipe, log) = (try #require(OctetPipe()), scene.log)
    let queue = DispatchQueue(label: "serial")
    scene.phone.launch {
      queue.asyncAfter(deadline: .now() + 1) { log("read \(pipe.read())") }
      queue.asyncAfter(deadline: .now() + 2) { log("next") }
      queue.asyncAfter(deadline: .now() + 3) {
        Thread.sleep(forTimeInterval: 1)
        log("slept")
      }
    }
    await scene.world.advance(by: .seconds(5))
    #expect(scene.history.lines.isEmpty)
    pipe.write(7)
    await scene.advance(untilLines: 3)
    #expect(scene.textsWithoutTime == ["read 7", "next", "slept"])
    #expect(scene.world.stalls == 1)
  }

  @Test("A test on the main queue gets its control back although an app blocks that queue for ever")
  @MainActor func blockedForEver() {
    let world = World(seed: 1)
    world.addPhone("Ann", at: [0, 0, 0]).launch {
      DispatchQueue.main.async { DispatchSemaphore(value: 0).wait() }
    }
    world.advance(by: .seconds(1))
    #expect(world.stalls == 1)
  }

  @Test("A test on the main thread goes on although an app waits there for an event outside the world")
  @MainActor func realWaitOnMainThread() throws {
    let scene = Scene()
    let (pipe, log) = (try #require(OctetPipe()), scene.log)
    scene.phone.launch {
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { log("read \(pipe.read())") }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { pipe.write(7) }
    }
    scene.world.advance(by: .seconds(3))
    #expect(scene.textsWithoutTime == ["read 7"])
    #expect(scene.world.stalls == 1)
    #expect(scene.world.now == .seconds(3))
  }

  @Test("An app that never gives the main thread back ends the process with its name")
  func mainThreadForEver() async {
    let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      MainWatch.patience.store(5, ordering: .relaxed)
      await MainActor.run {
        let scene = Scene()
        guard let pipe = OctetPipe() else { return }
        scene.phone.launch { DispatchQueue.main.async { _ = pipe.read() } }
        scene.world.advance(by: .seconds(1))
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("still occupies the main thread"), "\(text)")
  }

  @Test("A world that ends leaves the main queue free")
  func end() async {
    let history = History()
    do {
      let world = World(seed: 1)
      world.addPhone("Ann", at: [0, 0, 0]).launch {
        DispatchQueue.main.async {
          Thread.sleep(forTimeInterval: 100)
          history.add("slept")
        }
      }
      // Synchronously: until the world ends, other worlds' apps cannot use the main queue either.
      advance(world)
      #expect(history.lines.isEmpty)
    }
    await MainActor.run { history.add("main queue") }
    #expect(history.lines.contains("main queue"))
  }

  private func advance(_ world: World) { world.advance(by: .seconds(1)) }

  @Test("The test's own tasks, sleeps and queues stay in real time beside a world")
  func outside() async {
    let world = World(seed: 1)
    let phone = world.addPhone("Ann", at: [0, 0, 0])
    #expect(DeviceOfThread.device == nil)
    let result = await withCheckedContinuation { continuation in
      phone.run {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
          continuation.resume(returning: DeviceOfThread.device?.name)
        }
      }
      Thread.detachNewThread { world.advance(by: .seconds(1)) }
    }
    #expect(result == "Ann")
    #expect(DeviceOfThread.device == nil)
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    let task = phone.run {
      Task {
        try? await Task.sleep(for: .seconds(3))
        return DeviceOfThread.device?.name
      }
    }
    Thread.detachNewThread { world.advance(by: .seconds(5)) }
    #expect(await task.value == "Ann")
  }

  @Test("The date that apps see is the world's")
  func startDate() {
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let world = World(seed: 1, startDate: date)
    let phone = world.addPhone("Ann", at: [0, 0, 0])
    #expect(phone.run { Date() } == date)
    world.advance(by: .seconds(90))
    #expect(phone.run { Date() } == date + 90)
  }
}
