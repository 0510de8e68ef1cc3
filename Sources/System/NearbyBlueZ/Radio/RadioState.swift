/// Whether there is a Bluetooth radio to use, and if not, why.
package enum RadioState: Equatable, Sendable {
  /// Nothing is known yet.
  case unknown
  /// No system bus.
  case noBus
  /// The bus, or its rules about the daemon, turn this user away.
  case notPermitted
  /// No bluetoothd.
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

/// A part of the radio that has to be set up anew with each adapter and daemon.
protocol RadioPart: AnyObject {
  /// The adapter can be used from now on.
  ///
  /// - Parameter isNew: Nothing that was registered stands: another daemon, or the adapter was away.
  func began(on adapter: String, isNew: Bool)
  /// It can't any more.
  func ended()
  /// The daemon told something.
  func followed(_ change: BlueZTree.Change, _ signal: BusSignal)
}
