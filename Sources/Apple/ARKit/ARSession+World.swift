import Synchronization

extension ARSession {
  /// Adds an anchor to the world and notifies the delegate, unless it was added before.
  public func add(anchor: ARAnchor) {
    let added = ARAnchor(anchor, transform: anchor.transform, session: identifier)
    let isNew = state.withLock { state in
      guard !state.anchors.contains(where: { $0.identifier == added.identifier }) else { return false }
      state.anchors.append(added)
      return true
    }
    if isNew { tell([added]) { $0.session($1, didAdd: $2) } }
  }

  /// Removes an anchor from the world and notifies the delegate, if the anchor was there.
  public func remove(anchor: ARAnchor) {
    let removed = state.withLock { state in
      let found = state.anchors.filter { $0.identifier == anchor.identifier }
      state.anchors.removeAll { $0.identifier == anchor.identifier }
      return found
    }
    tell(removed) { $0.session($1, didRemove: $2) }
  }

  /// Moves the world's origin to a pose given in the present world. Objects stay where they are, so their
  /// transforms change.
  ///
  /// - Parameter relativeTransform: The transform from the new to the present world. Its scale is ignored; a
  ///   transform that is not a rigid motion has no effect.
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

  /// Returns a map of the world, which holds the app's anchors.
  ///
  /// - Parameter completionHandler: Called before this method returns; gets an error if the session has not
  ///   run.
  public func getCurrentWorldMap(completionHandler: @escaping (ARWorldMap?, (any Error)?) -> Void) {
    let anchors = state.withLock { $0.configuration == nil ? nil : $0.anchors }
    guard let anchors else { return completionHandler(nil, ARError(.invalidConfiguration)) }
    completionHandler(ARWorldMap(anchors: anchors), nil)
  }

  /// Receives another device's data about the same world. No-op: collaboration is not supported.
  public func update(with collaborationData: CollaborationData) {}

  /// Data for other devices that track the same world. Never created here.
  public final class CollaborationData: NSObject, Sendable {
    /// How important the data is to other devices.
    public enum Priority: Int, Sendable {
      /// Other devices need the data.
      case critical = 0
      /// The data is helpful but not necessary.
      case optional = 1
      /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
      @available(*, unavailable, message: "No value has this case.")
      case _unlisted
    }
    /// How important the data is to other devices.
    public let priority: Priority

    init(priority: Priority) {
      self.priority = priority
      super.init()
    }
  }
}
