import NearbyAccessorySetup
import NearbyBluetooth
import NearbySimulated

/// The user's answer to an accessory picker.
public enum AccessoryPickerAnswer: Sendable, Hashable, CaseIterable {
  /// Choose the first accessory that is offered.
  case choose
  /// Close the picker.
  case cancel
}

// Accessories that are set up, used by AccessorySetupKit. Initially the app declares none, so that it has ordinary
// Bluetooth; the user chooses the first accessory that a picker offers.
extension Phone {
  /// Declares in the app's `Info.plist` that it sets up Bluetooth accessories (`NSAccessorySetupSupports`, on devices with
  /// iOS 26.5 `NSAccessorySetupKitSupports`).
  ///
  /// From then on the app sees only accessories that were set up, and is never asked for Bluetooth.
  ///
  /// - Parameters:
  ///   - services: `NSAccessorySetupBluetoothServices`: UUIDs as text, of 4, 8 or 36 characters. Others count as
  ///     missing.
  ///   - companies: `NSAccessorySetupBluetoothCompanyIdentifiers`.
  ///   - names: `NSAccessorySetupBluetoothNames`.
  public func declareAccessorySetup(
    services: [String] = [], companies: [UInt16] = [], names: [String] = []
  ) {
    shell.setSetupUsage(
      SetupUsage(
        services: Set(services.compactMap { BluetoothUUID($0) }), companies: Set(companies), names: Set(names)
      ))
  }

  /// Sets how the user answers pickers from now on; with `nil` a picker stays open until `chooseAccessory` or
  /// `cancelAccessoryPicker`.
  public func setAccessoryPickerAnswer(_ answer: AccessoryPickerAnswer?) {
    shell.setSetupAnswer(
      answer.map { answer in
        switch answer {
        case .choose: .choose
        case .cancel: .cancel
        }
      })
  }

  /// The names of the accessories that the open picker offers, in the order of discovery; `nil` if none is open.
  public var offeredAccessories: [String]? { shell.setupCandidates?.map(\.name) }

  /// Chooses an accessory of the open picker, by the position in `offeredAccessories`.
  ///
  /// - Returns: Whether the picker offers it.
  @discardableResult
  public func chooseAccessory(at index: Int = 0) -> Bool {
    if shell.setupAwaitsMigration {
      shell.changeSetup { $0.confirmMigration() }
      return index == 0
    }
    guard let offered = shell.setupCandidates, offered.indices.contains(index) else { return false }
    let peer = offered[index].peer
    shell.changeSetup { _ = $0.choose(peer) }
    return true
  }

  /// Closes the open picker.
  public func cancelAccessoryPicker() { shell.changeSetup { $0.cancelPicker() } }

  /// Sets the name that the user types when the app asks for one (`renameAccessory`, items with the option `rename`); with
  /// `nil`, the initial value, the user declines.
  public func setAccessoryName(_ name: String?) { shell.setTypedName(name) }

  /// Renames the accessories of this name in Settings.
  public func renameAccessoriesInSettings(_ name: String, to other: String) {
    shell.changeSetup { machine in
      for accessory in machine.accessories where accessory.name == name {
        machine.renameInSettings(accessory.peer, to: other)
      }
    }
  }

  /// Removes all accessories in Settings.
  public func removeAccessoriesInSettings() {
    shell.changeSetup { machine in
      for accessory in machine.accessories { machine.removeInSettings(accessory.peer) }
    }
  }
}
