import CNearbyVirtualTime
import Dispatch
import Foundation
import NearbyTesting
import Testing

@testable import NearbyVirtualTime

@Suite("The check that apps' waits reach a world")
struct SelfTestTests {
  @Test("In this program every way of waiting reaches it")
  func success() {
    #expect(VirtualTime.unavailability == nil)
  }

  @Test("Where one does not, a line says so once, and apps' queues and clocks stay in real time")
  func failure() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      // As if a future libdispatch called its functions directly.
      _ = Hooks.installed
      var broken = Hooks.table
      broken.async = { _, _, _, _ in }
      let lasting = UnsafeMutablePointer<nvt_hooks>.allocate(capacity: 1)
      lasting.initialize(to: broken)
      nvt_install(lasting)
      for _ in 0..<2 {
        let world = World(seed: 1)
        let phone = world.addPhone("Ann", at: [0, 0, 0])
        let semaphore = DispatchSemaphore(value: 0)
        phone.run { DispatchQueue.global().async { semaphore.signal() } }
        // Ends although virtual time stands still.
        semaphore.wait()
        precondition(phone.run { Date() } != World.defaultStartDate)
        advance(world)
        precondition(world.now == .seconds(1) && world.stalls == 0)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("real time") }
    #expect(lines.count == 1, "\(text.suffix(3000))")
    #expect(
      lines.first?.contains("DispatchQueue.async does not call the functions that this program defines")
        == true)
  }
}

private func advance(_ world: World) { world.advance(by: .seconds(1)) }
