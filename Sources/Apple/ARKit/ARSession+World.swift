import Synchronization

extension ARSession {
  /// Puts an anchor into the world; the delegate hears of it.
  public func add(anchor: ARAnchor) {
    let added = ARAnchor(anchor, transform: anchor.transform, session: identifier)
    let isNew = state.withLock { state in
      guard !state.anchors.contains(where: { $0.identifier == added.identifier }) else { return false }
      state.anchors.append(added)
      return true
    }
    if isNew { tell([added]) { $0.session($1, didAdd: $2) } }
  }

  /// Takes an anchor out of the world; the delegate hears of it, if it was there.
  public func remove(anchor: ARAnchor) {
    let removed = state.withLock { state in
      let found = state.anchors.filter { $0.identifier == anchor.identifier }
      state.anchors.removeAll { $0.identifier == anchor.identifier }
      return found
    }
    tell(removed) { $0.session($1, didRemove: $2) }
  }

  /// Moves the world's origin to a pose in the world as it was. Things stay where they are: their transforms
  /// change.
  ///
  /// - Parameter relativeTransform: Old world from new world; a scale in it is ignored, and one that is no rigid
  ///   motion does nothing.
  public func setWorldOrigin(relativeTransform: simd_float4x4) {
    guard let newFromOld = ARWorld.rigid(relativeTransform)?.inverse else { return }
    let moved = state.withLock { state in
      state.worldFromOrigin = newFromOld * state.worldFromOrigin
      state.anchors = state.anchors.map {
        ARAnchor($0, transform: newFromOld * $0.transform, session: $0.sessionIdentifier)
      }
      return state.anchors
    }
    tell(moved) { $0.session($1, didUpdate: $2) }
  }

  /// Gives what is known of the world: the app's anchors.
  ///
  /// - Parameter completionHandler: Called before this returns; an error where the session has not run.
  public func getCurrentWorldMap(completionHandler: @escaping (ARWorldMap?, (any Error)?) -> Void) {
    let anchors = state.withLock { $0.configuration == nil ? nil : $0.anchors }
    guard let anchors else { return completionHandler(nil, ARError(.invalidConfiguration)) }
    completionHandler(ARWorldMap(anchors: anchors), nil)
  }

  /// Takes what another device shared of the same place. Without effect: nothing is shared here.
  public func update(with collaborationData: CollaborationData) {}

  /// Something to share with others who track the same place. Never made here.
  public final class CollaborationData: NSObject, Sendable {
    /// How much others need it.
    public enum Priority: Int, Sendable {
      /// They cannot do without.
      case critical = 0
      /// It helps.
      case optional = 1
      /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
      @available(*, unavailable, message: "No value has this case.")
      case _unlisted
    }
    /// How much others need it.
    public let priority: Priority

    init(priority: Priority) {
      self.priority = priority
      super.init()
    }
  }
}
