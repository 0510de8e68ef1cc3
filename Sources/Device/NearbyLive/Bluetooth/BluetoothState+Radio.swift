import NearbyBlueZ
import NearbyBluetooth

extension BluetoothState {
  init(_ state: RadioState) {
    self =
      switch state {
      case .unknown: .unknown
      case .noBus, .noDaemon, .noAdapter: .unsupported
      case .notPermitted: .unauthorized
      case .off: .poweredOff
      case .on: .poweredOn
      }
  }
}

extension BluetoothFailure {
  init(_ failure: GATTFailure) {
    self =
      switch failure {
      case .notConnected: .notConnected
      case .timedOut: .connectionTimeout
      case .pairingFailed: .pairingFailed
      case .unknownAttribute: .att(.invalidHandle)
      case .att(let error): .att(error)
      }
  }

  /// The error for a registration that the daemon refused.
  init(_ error: BusError) {
    switch error.name {
    case BlueZError.notSupported: self = .notSupported
    case BlueZError.alreadyExists: self = .alreadyAdvertising
    case BlueZError.notPermitted: self = .connectionLimitReached
    case _: self = .invalidParameters
    }
  }
}
