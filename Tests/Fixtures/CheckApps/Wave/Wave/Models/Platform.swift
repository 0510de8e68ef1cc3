import Foundation
#if os(iOS) || os(visionOS)
  import CoreHaptics
  final class Feedback { @objc func knock() { let engine: CHHapticEngine? = nil; _ = engine } }
#else
  final class Feedback { func knock() {} }
#endif
#if targetEnvironment(simulator)
  let service = UIColor.red
#else
  let service = "wave"
#endif
let feedback = Feedback()
