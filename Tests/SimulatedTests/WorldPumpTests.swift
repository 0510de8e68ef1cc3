import Dispatch
import NearbySimulator
import NearbyVirtualUWB
import Testing

@testable import NearbyDevice
@testable import NearbyDeviceMachine
@testable import NearbySimulated

@Suite("A simulated world used by several threads")
struct WorldPumpTests {
  @Test("Devices added concurrently keep their names")
  func names() {
    let pump = WorldPump(seed: 1, world: SimulatedWorld(seed: 1), drainsMainQueue: false)
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      let (body, radio) = pump.withWorld { world, _ in
        let body = world.addBody(.standing([Double(number), 0, 1]))
        return (body, world.addRadio(on: body))
      }
      let added = pump.addDevice(
        name: "device \(number)", machine: DeviceMachine(hasRadio: true, usageDescription: "Test."),
        chip: VirtualChipConfiguration(), radio: radio, body: body, answer: .allowed)
      #expect(added.handle.name == "device \(number)")
      #expect(pump.name(of: added.device) == "device \(number)")
    }
  }
}
