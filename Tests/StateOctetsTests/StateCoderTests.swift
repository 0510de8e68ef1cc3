import NearbyStateOctets
import Testing

@Suite("A machine's state as octets")
struct StateCoderTests {
  private struct Machine: Equatable {
    enum Mode: CaseIterable { case calm, wild }
    var count = 0
    var small: Int8 = 0
    var place = SIMD3<Double>.zero
    var last: Double?
    var isOn = false
    var mode = Mode.calm
    var list: [Double] = []

    mutating func code(_ coder: inout StateCoder) {
      coder.code(&count, in: 0...10)
      coder.code(&small)
      coder.code(&place)
      coder.code(&last)
      coder.code(&isOn)
      coder.code(&mode)
      coder.code(&list, most: 3, new: 0) { $0.code(finite: &$1) }
    }
  }

  private static let machine = Machine(
    count: 7, small: -3, place: SIMD3(1, -0.0, .infinity), last: .pi, isOn: true, mode: .wild, list: [1, 2])

  private static func octets(_ machine: Machine) -> [UInt8] {
    var machine = machine
    var coder = StateCoder()
    machine.code(&coder)
    return coder.octets
  }

  @Test("What is read back is what was written, to the last bit")
  func roundTrip() {
    let octets = Self.octets(Self.machine)
    var coder = StateCoder(reading: octets)
    var found = Machine()
    found.code(&coder)
    #expect(coder.isComplete && found == Self.machine)
    #expect(found.place.y.sign == .minus)
    #expect(Self.octets(found) == octets)
  }

  @Test("Cut octets are broken, octets too many are not complete, and neither traps")
  func cut() {
    let octets = Self.octets(Self.machine)
    for count in 0..<octets.count {
      var coder = StateCoder(reading: Array(octets.prefix(count)))
      var found = Machine()
      found.code(&coder)
      #expect(coder.isBroken && !coder.isComplete)
    }
    var coder = StateCoder(reading: octets + [0])
    var found = Machine()
    found.code(&coder)
    #expect(!coder.isBroken && !coder.isComplete)
  }

  @Test(
    "Values out of their range are broken: counts, flags, cases, lengths, and numbers that must be finite")
  func impossible() {
    var wrong = Self.machine
    wrong.count = 11
    var infinite = Self.machine
    infinite.list = [.infinity]
    var long = Self.machine
    long.list = [1, 2, 3, 4]
    for machine in [wrong, infinite, long] {
      var coder = StateCoder(reading: Self.octets(machine))
      var found = Machine()
      found.code(&coder)
      #expect(coder.isBroken)
    }
    let octets = Self.octets(Self.machine)
    for index in octets.indices {
      var changed = octets
      changed[index] = 0xFF
      var coder = StateCoder(reading: changed)
      var found = Machine()
      found.code(&coder)
      #expect(coder.isBroken || (0...10).contains(found.count) && found.list.count <= 3)
    }
  }
}
