/// Whether there is a usable Bluetooth radio and, if not, why.
package enum RadioState: Equatable, Sendable {
  /// The state has not been determined yet.
  case unknown
  /// There is no system bus.
  case noBus
  /// The bus, or its policy for the daemon, rejects this user.
  case notPermitted
  /// bluetoothd is not running.
  case noDaemon
  case noAdapter
  case off
  case on

  init(_ reach: BlueZDaemon.Reach) {
    self =
      switch reach {
      case .connecting: .unknown
      case .noBus: .noBus
      case .notPermitted: .notPermitted
      case .noDaemon: .noDaemon
      case .running: .noAdapter
      }
  }
}

/// A part of the radio that has to be set up again for each adapter and daemon.
protocol RadioPart: AnyObject {
  /// The adapter is ready for use.
  ///
  /// - Parameter isNew: Whether all registrations are lost, because the daemon restarted or the adapter was
  ///   removed.
  func began(on adapter: String, isNew: Bool)
  /// The adapter is no longer available.
  func ended()
  /// The daemon signalled a change.
  func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal)
}
