import NearbyStateOctets

/// What is known about the tags of a part after a message of the stream, as it is kept on the server.
///
/// | octets | |
/// |---|---|
/// | 0 | 1, the version |
/// | 1 to 8 | the plan's digest, little-endian, like all that follows |
/// | 9 to 16 | sequence of the last message that is contained |
/// | 17 to 24 | the last full second, Unix time, to which the tags were advanced |
/// | then, for each tag of the part | octets of its state, 4 octets, and the state |
package struct SiteCheckpoint: Equatable, Sendable {
  private static let version: UInt8 = 1
  /// Octets that a state may have; the most that is written is below 16 KiB.
  private static let largestState = 64 << 10

  package var digest: UInt64
  package var sequence: UInt64
  package var second: Double
  /// In the order of the part's tags.
  package var states: [[UInt8]]

  package init(digest: UInt64, sequence: UInt64, second: Double, states: [[UInt8]]) {
    self.digest = digest
    self.sequence = sequence
    self.second = second
    self.states = states
  }

  package var octets: [UInt8] {
    var coder = StateCoder()
    var copy = self
    copy.code(&coder, states: states.count)
    return coder.octets
  }

  /// - Parameter states: How many tags the part has.
  /// - Returns: `nil` if the octets are none of such a part.
  package init?(parsing octets: [UInt8], states: Int) {
    self.init(digest: 0, sequence: 0, second: 0, states: [])
    var coder = StateCoder(reading: octets)
    code(&coder, states: states)
    guard coder.isComplete else { return nil }
  }

  private mutating func code(_ coder: inout StateCoder, states count: Int) {
    var version = Self.version
    coder.code(&version)
    coder.require(version == Self.version)
    coder.code(&digest)
    coder.code(&sequence)
    coder.code(finite: &second)
    if coder.isReading { states = Array(repeating: [], count: count) }
    for index in states.indices { coder.code(&states[index], most: Self.largestState) }
  }
}
