import Foundation

/// One line of the table: a measured value and its target.
struct Figure {
  enum Target {
    case under(Double)
    case atLeast(Double)
    /// Shown for comparison, without a target.
    case none
  }

  let name: String
  let value: Double
  let unit: String
  var target = Target.none

  var isMet: Bool {
    switch target {
    case .under(let limit): value < limit
    case .atLeast(let limit): value >= limit
    case .none: true
    }
  }

  func show() {
    let wanted =
      switch target {
      case .under(let limit): "< \(Self.number(limit)) \(unit)"
      case .atLeast(let limit): ">= \(Self.number(limit)) \(unit)"
      case .none: "-"
      }
    let verdict =
      switch target {
      case .none: ""
      case .under, .atLeast: isMet ? "met" : "MISSED"
      }
    let shown = "\(Self.number(value)) \(unit)"
    print("\(name.padded(to: 58)) \(shown.padded(to: 16)) \(wanted.padded(to: 16)) \(verdict)")
  }

  static func showHeading() {
    print("\("benchmark".padded(to: 58)) \("figure".padded(to: 16)) \("target".padded(to: 16)) verdict")
  }

  private static func number(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value)
  }
}

extension String {
  func padded(to length: Int) -> String { padding(toLength: max(length, count), withPad: " ", startingAt: 0) }
}
