import Testing

@testable import NearbyDeviceMachine

@Suite("Boxed values")
struct BoxedTests {
  @Test("A change of one copy leaves the other as it was")
  func valueSemantics() {
    let first = Boxed([1])
    var second = first
    second.value.append(2)
    #expect(first.value == [1])
    #expect(second.value == [1, 2])
  }

  @Test("What is alone in its box is changed in place")
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
