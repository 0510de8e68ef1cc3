import Foundation

final class Observer: NSObject {
  private var token: NSKeyValueObservation?
  func watch(_ progress: Progress) {
    token = progress.observe(\.fractionCompleted) { progress, _ in print(progress.fractionCompleted) }
  }
}
