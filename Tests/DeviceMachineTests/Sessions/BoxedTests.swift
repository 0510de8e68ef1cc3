import Testing

@testable import NearbyDeviceMachine

@Suite("Boxed values")
struct BoxedTests {
  @Test("Changing one copy leaves the other unchanged")
  func valueSemantics() {
    let first = Boxed([1])
    var second = first
    second.value.append(2)
    #expect(first.value == [1])
    #expect(second.value == [1, 2])
  }

  @Test("A uniquely referenced value is changed in place")
  func inPlace() {
    var box = Boxed(1)
    let before = box.address
    box.value = 2
    #expect(box.address == before)
  }
}

extension Boxed {
  /// The value's address in memory.
  fileprivate var address: Int {
    mutating get { withUnsafeMutablePointer(to: &value) { Int(bitPattern: $0) } }
  }
}
