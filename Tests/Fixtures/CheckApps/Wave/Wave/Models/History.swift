import Foundation

/// Waits for a type that stands in a view's file.
@MainActor final class History {
  private(set) var readings: [Reading] = []
  func add(_ metres: Float) { readings.append(Reading(metres: metres)) }
}
