import NearbyBluetooth
import NearbySimulated
import NearbyVirtualBluetooth

// Bluetooth, used by CoreBluetooth, beacons and accessories. It is initially on, and the user allows its use.
extension Phone {
  /// Switches Bluetooth off. Connections end without notice to the other side, which detects the loss later.
  public func switchBluetoothOff() {
    shell.changeBluetooth { $0.setPower(isOn: false, device: $1, at: $2) }
  }

  /// Switches Bluetooth on again.
  public func switchBluetoothOn() {
    shell.changeBluetooth { $0.setPower(isOn: true, device: $1, at: $2) }
  }

  /// Sets how the user answers the app's requests for Bluetooth from now on; with `nil` a request stays open
  /// until `answerBluetooth`.
  public func setBluetoothAnswer(_ answer: PermissionAnswer?) {
    shell.setBluetoothAnswer(answer?.bluetooth)
  }

  /// Answers the open request for Bluetooth.
  public func answerBluetooth(_ answer: PermissionAnswer) { changeBluetoothPermission(to: answer) }

  /// Changes the permission for Bluetooth as the user would in Settings.
  public func changeBluetoothPermission(to answer: PermissionAnswer) {
    let authorization = answer.bluetooth
    shell.changeBluetooth { $0.setAuthorization(authorization, device: $1, at: $2) }
  }

  /// Sets the app's `NSBluetoothAlwaysUsageDescription`; without one Bluetooth is not authorised.
  public func setBluetoothUsageDescription(_ text: String?) {
    let isDescribed = text?.isEmpty == false
    shell.changeBluetooth { $0.setDescribed(isDescribed, device: $1, at: $2) }
  }

  /// Sets which of `bluetooth-central` and `bluetooth-peripheral` are in the app's `UIBackgroundModes`;
  /// initially both.
  public func setBluetoothBackgroundModes(central: Bool, peripheral: Bool) {
    var modes: BluetoothModes = []
    if central { modes.insert(.central) }
    if peripheral { modes.insert(.peripheral) }
    let chosen = modes
    shell.changeBluetooth { $0.setModes(chosen, device: $1, at: $2) }
  }

  /// Sets whether the user agrees when another device wants to pair; initially true.
  public func setAcceptsPairing(_ accepts: Bool) {
    shell.changeBluetooth { air, place, _ in
      air.setAcceptsPairing(accepts, device: place)
    }
  }

  /// Sets the maximum number of simultaneous connections; initially 12.
  public func setBluetoothConnectionLimit(_ limit: Int) {
    shell.changeBluetooth { air, place, _ in
      air.setConnectionLimit(limit, device: place)
    }
  }

  /// Loses this share (0 to 1) of the phone's Bluetooth packets, in addition to losses from low power.
  public func loseBluetoothPackets(_ share: Double) {
    shell.setBluetoothLoss(share.isFinite ? share : 0)
  }

  /// Deletes this phone's pairing with another phone, or all for `nil`. The other side keeps its pairing.
  public func forgetBluetooth(_ other: Phone? = nil) {
    guard let other else {
      return shell.changeBluetooth { air, place, _ in air.unpair(place, from: nil) }
    }
    shell.changeBluetooth(and: other.shell) { air, place, other, _ in
      air.unpair(place, from: other)
    }
  }

  /// Breaks the current Bluetooth connections to another phone; both sides are notified at once.
  public func cutBluetooth(to other: Phone) {
    shell.changeBluetooth(and: other.shell) { $0.cut($1, $2, at: $3) }
  }
}

extension PermissionAnswer {
  /// Bluetooth has no "allow once", so it counts as allowed.
  var bluetooth: BluetoothAuthorization { self == .deny ? .denied : .allowedAlways }
}
