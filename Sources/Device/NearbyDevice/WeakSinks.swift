import NearbyDeviceMachine

/// The recipient of a session's events, not kept alive.
package struct WeakSink: Sendable {
  package private(set) weak var sink: (any SessionSink)?

  package init(sink: (any SessionSink)?) { self.sink = sink }
}

/// The recipient of an accessory's output, not kept alive.
package struct WeakAccessorySink: Sendable {
  package private(set) weak var sink: (any AccessorySink)?

  package init(sink: (any AccessorySink)? = nil) { self.sink = sink }
}

/// The recipient of a camera user's events, not kept alive.
package struct WeakCameraSink: Sendable {
  package private(set) weak var sink: (any CameraSink)?

  package init(sink: (any CameraSink)?) { self.sink = sink }
}
