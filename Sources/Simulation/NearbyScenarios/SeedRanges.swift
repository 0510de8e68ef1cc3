/// The seeds of a campaign: ranges in ascending order, which neither overlap nor touch.
///
/// Written `1..1000`, `7`, or several of these with commas between them. Both ends of a range belong to it.
package struct SeedRanges: Equatable, Sendable {
  /// The most seeds that one campaign has.
  package static let most: UInt64 = 10_000_000

  package let ranges: [ClosedRange<UInt64>]
  /// The number of seeds, 1 to `most`.
  package let count: Int

  /// Why a text does not name seeds.
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The part of the text that is no seed and no range.
    case malformed(String)
    case backwards(String)
    case tooMany

    package var description: String {
      switch self {
      case .malformed(let part): "found '\(part)', expected seeds such as 1..1000, 7 or 1..10,42"
      case .backwards(let part): "found '\(part)', expected the smaller seed first"
      case .tooMany: "more than \(SeedRanges.most) seeds; use a smaller range"
      }
    }
  }

  /// Parses the text of an option or environment variable.
  package init(parsing text: String) throws(Failure) {
    var found: [ClosedRange<UInt64>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      found.append(try Self.range(String(part.trimmed)))
    }
    try self.init(found)
  }

  /// Merges ranges that overlap or touch.
  package init(_ unsorted: [ClosedRange<UInt64>]) throws(Failure) {
    var merged: [ClosedRange<UInt64>] = []
    for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    var total: UInt64 = 0
    for range in merged {
      let size = range.upperBound - range.lowerBound
      guard size < Self.most, total + size < Self.most else { throw .tooMany }
      total += size + 1
    }
    guard total > 0 else { throw .malformed("") }
    ranges = merged
    count = Int(total)
  }

  private static func range(_ text: String) throws(Failure) -> ClosedRange<UInt64> {
    guard let dots = text.firstRange(of: "..") else {
      guard let seed = seed(text[...]) else { throw .malformed(text) }
      return seed...seed
    }
    // Swift's own spelling is accepted too.
    let rest = text[dots.upperBound...]
    let upper = rest.first == "." ? rest.dropFirst() : rest
    guard let first = seed(text[..<dots.lowerBound]), let last = seed(upper) else { throw .malformed(text) }
    guard first <= last else { throw .backwards(text) }
    return first...last
  }

  private static func seed(_ text: Substring) -> UInt64? {
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = isHexadecimal ? text.dropFirst(2) : text
    guard digits.first != "+", digits.first != "-" else { return nil }
    return UInt64(digits, radix: isHexadecimal ? 16 : 10)
  }

  /// The seed at a position in ascending order, 0 ..< `count`.
  package subscript(index: Int) -> UInt64 {
    precondition(index >= 0 && index < count, "no seed \(index) of \(count)")
    var left = UInt64(index)
    for range in ranges {
      let size = range.upperBound - range.lowerBound
      if left <= size { return range.lowerBound + left }
      left -= size + 1
    }
    preconditionFailure("the ranges have fewer seeds than \(count)")
  }

  package var all: [UInt64] { ranges.flatMap { Array($0) } }

  /// As text that parses back to the same seeds.
  package var text: String {
    ranges.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)" }
      .joined(separator: ",")
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
