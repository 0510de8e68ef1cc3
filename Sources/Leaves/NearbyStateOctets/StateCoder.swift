/// Writes the state of a machine as octets, or reads it back: one function that visits each field serves both.
///
/// Numbers are little-endian with their full width, so a machine that is read back continues exactly as the one that was
/// written. The octets may come from elsewhere: reading never traps, and whatever is impossible makes it `isBroken`, after
/// which all further reads leave their values unchanged. The reader then drops the machine.
package struct StateCoder: Sendable {
  package private(set) var octets: [UInt8]
  package let isReading: Bool
  /// Whether octets were missing, or held an impossible value.
  package private(set) var isBroken = false
  private var position = 0

  /// For writing.
  package init() {
    octets = []
    isReading = false
  }

  /// For reading.
  package init(reading octets: [UInt8]) {
    self.octets = octets
    isReading = true
  }

  /// Whether everything was read, and nothing impossible.
  package var isComplete: Bool { !isBroken && position == octets.count }

  /// Notes that a value is impossible unless a condition holds.
  package mutating func require(_ condition: Bool) { if isReading, !condition { isBroken = true } }

  // MARK: Fields

  package mutating func code<Number: FixedWidthInteger & BitwiseCopyable>(_ value: inout Number) {
    let width = Number.bitWidth / 8
    guard isReading else {
      return withUnsafeBytes(of: value.littleEndian) { octets.append(contentsOf: $0) }
    }
    guard !isBroken, octets.count - position >= width else { return isBroken = true }
    value = Number(
      littleEndian: octets.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) })
    position += width
  }

  package mutating func code(_ value: inout Double) {
    var bits = value.bitPattern
    code(&bits)
    if !isBroken { value = Double(bitPattern: bits) }
  }

  /// A value that is never infinite or not a number.
  package mutating func code(finite value: inout Double) {
    code(&value)
    require(value.isFinite)
  }

  package mutating func code(_ value: inout Bool) {
    var number: UInt8 = value ? 1 : 0
    code(&number)
    require(number <= 1)
    if !isBroken { value = number == 1 }
  }

  /// An index or count that lies in a range.
  package mutating func code(_ value: inout Int, in range: ClosedRange<Int>) {
    var number = Int64(value)
    code(&number)
    require(Int(exactly: number).map(range.contains) ?? false)
    if !isBroken { value = Int(number) }
  }

  package mutating func code<Vector: SIMD>(_ value: inout Vector) where Vector.Scalar == Double {
    for index in value.indices { code(&value[index]) }
  }

  /// A list whose length is known.
  package mutating func code(_ values: inout [Double]) {
    for index in values.indices { code(&values[index]) }
  }

  /// A value that may be absent.
  ///
  /// - Parameters:
  ///   - new: What is filled in when a value is read.
  ///   - body: Codes the value.
  package mutating func code<Value>(
    _ value: inout Value?, new: @autoclosure () -> Value, _ body: (inout Self, inout Value) -> Void
  ) {
    var isThere = value != nil
    code(&isThere)
    guard isThere, !isBroken else {
      if isReading, !isBroken { value = nil }
      return
    }
    var inner = value ?? new()
    body(&self, &inner)
    if !isBroken { value = inner }
  }

  package mutating func code(_ value: inout Double?) { code(&value, new: 0) { $0.code(&$1) } }

  /// A list of any length up to `most`.
  package mutating func code<Element>(
    _ values: inout [Element], most: Int, new: @autoclosure () -> Element,
    _ body: (inout Self, inout Element) -> Void
  ) {
    var count = values.count
    code(&count, in: 0...most)
    guard !isBroken else { return }
    if isReading { values = (0..<count).map { _ in new() } }
    for index in values.indices {
      body(&self, &values[index])
      if isBroken { return }
    }
  }

  /// Octets, at most `most`, with their number before them.
  package mutating func code(_ values: inout [UInt8], most: Int) {
    var count = UInt32(clamping: values.count)
    code(&count)
    require(count <= most && octets.count - position >= count)
    guard !isBroken else { return }
    if isReading {
      values = Array(octets[position..<(position + Int(count))])
      position += Int(count)
    } else {
      octets += values
    }
  }

  /// One of an enumeration's cases, by its place.
  package mutating func code<Case: CaseIterable & Equatable>(_ value: inout Case) {
    let all = Array(Case.allCases)
    var place = all.firstIndex(of: value) ?? 0
    code(&place, in: 0...max(0, all.count - 1))
    if !isBroken, all.indices.contains(place) { value = all[place] }
  }
}
