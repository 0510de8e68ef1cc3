import CoreHaptics
import Foundation

final class Haptics {
  private var engine: CHHapticEngine?
  func knock() throws { engine = try CHHapticEngine() }
}
