import Foundation

/// Needs a type that is declared in a view's file.
@MainActor final class History {
  private(set) var readings: [Reading] = []
  func add(_ metres: Float) { readings.append(Reading(metres: metres)) }
}
