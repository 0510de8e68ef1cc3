import NearbyAccessorySetup

/// A user who gives the same answer to every picker.
struct PresetPerson: SetupPerson {
  let preset: AccessorySetupSettings.Preset

  func ask(_ question: SetupQuestion?, reply: @escaping @Sendable (SetupReply) -> Void) {
    switch (preset, question?.kind) {
    case (.cancel, .choose), (.cancel, .migrate), (_, .name): reply(.cancel)
    case (.choose, .choose(let candidates)): if let first = candidates.first { reply(.choose(first.peer)) }
    case (.choose, .migrate): reply(.agree)
    case (_, .pairing), (_, nil): break
    }
  }
}
