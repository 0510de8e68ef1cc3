import NearbyDeviceMachine

/// The recipient of a session's events, not kept alive.
package struct WeakSink: Sendable {
  package private(set) weak var sink: (any SessionSink)?

  package init(sink: (any SessionSink)?) { self.sink = sink }
}
