import NearbyBluetooth

/// A kind of accessory that a picker offers.
package struct SetupItem: Hashable, Sendable {
  /// The name that the picker shows.
  package var name: String
  package var descriptor: SetupDescriptor
  /// Whether the app must call `finishAuthorization`.
  package var needsConfirmation: Bool
  /// Whether the user names the accessory in the picker.
  package var allowsRename: Bool
  /// The accessory that the app used before it had a picker, and that becomes set up without being found; `nil` for an
  /// item that the picker looks for.
  package var migrates: BluetoothPeer?

  package init(
    name: String, descriptor: SetupDescriptor, needsConfirmation: Bool = false, allowsRename: Bool = false,
    migrates: BluetoothPeer? = nil
  ) {
    self.allowsRename = allowsRename
    self.migrates = migrates
    self.name = name
    self.descriptor = descriptor
    self.needsConfirmation = needsConfirmation
  }
}

/// An accessory that the device's user has set up for the app.
package struct SetUpAccessory: Hashable, Sendable {
  package enum State: Int, Sendable { case unauthorized, awaitingAuthorization, authorized }
  package var peer: BluetoothPeer
  package var name: String
  package var descriptor: SetupDescriptor
  package var state: State
  package init(peer: BluetoothPeer, name: String, descriptor: SetupDescriptor, state: State) {
    self.peer = peer
    self.name = name
    self.descriptor = descriptor
    self.state = state
  }
}

/// A session with the system's accessory set-up.
package struct SetupUser: Hashable, Comparable, Sendable {
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  package let number: Int
}

/// An event for a session, in Apple's order.
package enum SetupEvent: Hashable, Sendable {
  case activated
  case invalidated(SetupFailure?)
  case pickerDidPresent
  case pickerDidDismiss
  case pickerSetupPairing(SetUpAccessory)
  /// Pairing with the chosen accessory failed.
  case pickerSetupFailed(SetUpAccessory)
  case pickerSetupRename(SetUpAccessory)
  /// The picker found an accessory; the app decides whether it is shown.
  case discovered(BluetoothSighting)
  case migrationComplete
  case added(SetUpAccessory)
  case changed(SetUpAccessory)
  case removed(SetUpAccessory)
}

/// Why a request failed. The cases are those of `ASError` that occur here.
package enum SetupFailure: Error, Hashable, Sendable {
  case activationFailed, connectionFailed, discoveryTimeout, invalidated, invalidRequest, pickerAlreadyActive
  case userCancelled
}

/// A request of the app that is answered later.
package struct SetupRequest: Hashable, Sendable {
  package let number: Int
}

/// An accessory that the open picker offers.
package struct SetupCandidate: Hashable, Sendable {
  package var peer: BluetoothPeer
  /// The display item's name, and the name that the accessory advertises.
  package var name: String
  package var advertisedName: String?
  var item: SetupItem
}
