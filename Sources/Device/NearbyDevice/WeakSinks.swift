import NearbyDeviceMachine

/// A weak reference to the recipient of a session's events.
package struct WeakSink: Sendable {
  package private(set) weak var sink: (any SessionSink)?

  package init(sink: (any SessionSink)?) { self.sink = sink }
}

/// A weak reference to the recipient of an accessory's output.
package struct WeakAccessorySink: Sendable {
  package private(set) weak var sink: (any AccessorySink)?

  package init(sink: (any AccessorySink)? = nil) { self.sink = sink }
}

/// A weak reference to the recipient of a camera user's events.
package struct WeakCameraSink: Sendable {
  package private(set) weak var sink: (any CameraSink)?

  package init(sink: (any CameraSink)?) { self.sink = sink }
}
