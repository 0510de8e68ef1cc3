import NearbyStateOctets

/// One reading of a tag, with its ids resolved to indices in the site's plan.
package struct SiteReading: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// A two-way range, metres; `sigma` is its standard deviation, and `blocked` the probability of a blocked path, each
    /// `nil` if not stated.
    case range(metres: Double, sigma: Double?, blocked: Double? = nil)
    /// The tag's distance to the receiver minus that to another one, metres.
    case difference(from: Int, metres: Double, sigma: Double?)
    /// Loudness of an advertisement, and its stated power at 1 m, dBm.
    case loudness(rssi: Double, power: Double?)
  }

  package var tag: Int
  package var receiver: Int
  package var value: Value
  /// When it was measured, Unix seconds.
  package var time: Double
  /// What tells it from a repetition; `nil` if its sender has no numbers.
  package var number: Number?

  /// A sender's number for a reading.
  package struct Number: Equatable, Sendable {
    /// Stands for the sender's name.
    package var sender: UInt64
    package var number: UInt64

    package init(sender: UInt64, number: UInt64) {
      self.sender = sender
      self.number = number
    }
  }

  package init(tag: Int, receiver: Int, value: Value, time: Double, number: Number? = nil) {
    self.number = number
    self.tag = tag
    self.receiver = receiver
    self.value = value
    self.time = time
  }
}

/// Why a reading was dropped.
package enum SiteRejection: String, Error, CaseIterable, Sendable {
  case brokenPayload = "broken_payload"
  case tooLarge = "too_large"
  case unknownTopic = "unknown_topic"
  case unknownTag = "unknown_tag"
  case unknownReceiver = "unknown_receiver"
  /// Its number was received before.
  case duplicate
  /// Its number or its time is too old to be of use.
  case late
  /// Its time is in the future: the sender's clock is wrong.
  case ahead
  /// A number that no radio measures.
  case impossible
  /// It contradicts the other readings of the tag.
  case disagrees
}

/// What happened to readings, counted.
package struct SiteCounts: Equatable, Sendable {
  package private(set) var used = 0
  private var rejections = [Int](repeating: 0, count: SiteRejection.allCases.count)

  package func rejected(for reason: SiteRejection) -> Int { rejections[reason.number] }
  package var rejected: Int { rejections.reduce(0, +) }

  mutating func addUsed() { used &+= 1 }
  package mutating func add(_ reason: SiteRejection) { rejections[reason.number] &+= 1 }

  package mutating func code(_ coder: inout StateCoder) {
    coder.code(&used, in: 0...Int.max)
    for index in rejections.indices { coder.code(&rejections[index], in: 0...Int.max) }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.used &+= right.used
    for index in sum.rejections.indices { sum.rejections[index] &+= right.rejections[index] }
    return sum
  }
}

extension SiteRejection {
  fileprivate var number: Int {
    switch self {
    case .brokenPayload: 0
    case .tooLarge: 1
    case .unknownTopic: 2
    case .unknownTag: 3
    case .unknownReceiver: 4
    case .duplicate: 5
    case .late: 6
    case .ahead: 7
    case .impossible: 8
    case .disagrees: 9
    }
  }
}

/// Which of a sender's numbered readings were received, for the newest 64.
///
/// A broker delivers some messages twice, and a gateway repeats those that were not acknowledged. A sender
/// that restarted counts from the beginning: many old numbers in a row are taken for that.
package struct SequenceWindow: Equatable, Sendable {
  private var highest: UInt64?
  /// Bit n: the number `highest - n` was received.
  private var received: UInt64 = 0
  private var lateInARow = 0

  private static let restart = 16

  package init() {}

  /// - Returns: Why the reading with this number must be dropped; `nil` if it is new.
  package mutating func admit(_ number: UInt64) -> SiteRejection? {
    guard let highest else {
      begin(number)
      return nil
    }
    if number > highest {
      let step = number - highest
      received = step >= 64 ? 1 : received << step | 1
      self.highest = number
      lateInARow = 0
      return nil
    }
    let age = highest - number
    guard age < 64 else {
      lateInARow += 1
      guard lateInARow >= Self.restart else { return .late }
      begin(number)
      return nil
    }
    lateInARow = 0
    guard received & (1 << age) == 0 else { return .duplicate }
    received |= 1 << age
    return nil
  }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&highest, new: 0) { $0.code(&$1) }
    coder.code(&received)
    coder.code(&lateInARow, in: 0...Self.restart)
  }

  private mutating func begin(_ number: UInt64) {
    highest = number
    received = 1
    lateInARow = 0
  }
}
