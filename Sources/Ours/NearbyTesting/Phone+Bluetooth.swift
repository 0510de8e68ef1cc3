import NearbyBluetooth
import NearbySimulated
import NearbyVirtualBluetooth

// Bluetooth under CoreBluetooth, beacons and accessories. At first it is on, and the user allows it when asked.
extension Phone {
  /// Switches Bluetooth off: connections end without a word to the other side, which finds out in time.
  public func switchBluetoothOff() {
    shell.changeBluetooth { $0.setPower(isOn: false, device: $1, at: $2) }
  }

  /// Switches Bluetooth on again.
  public func switchBluetoothOn() {
    shell.changeBluetooth { $0.setPower(isOn: true, device: $1, at: $2) }
  }

  /// How the user answers when the app asks for Bluetooth from now on; with `nil` the question stays open until
  /// `answerBluetooth`.
  public func setBluetoothAnswer(_ answer: PermissionAnswer?) {
    shell.setBluetoothAnswer(answer?.bluetooth)
  }

  /// Answers the question for Bluetooth that is open.
  public func answerBluetooth(_ answer: PermissionAnswer) { changeBluetoothPermission(to: answer) }

  /// The user changes the answer for Bluetooth in Settings.
  public func changeBluetoothPermission(to answer: PermissionAnswer) {
    let authorization = answer.bluetooth
    shell.changeBluetooth { $0.setAuthorization(authorization, device: $1, at: $2) }
  }

  /// The app's `NSBluetoothAlwaysUsageDescription`; without one Bluetooth is not authorised.
  public func setBluetoothUsageDescription(_ text: String?) {
    let isDescribed = text?.isEmpty == false
    shell.changeBluetooth { $0.setDescribed(isDescribed, device: $1, at: $2) }
  }

  /// Which of `bluetooth-central` and `bluetooth-peripheral` are in the app's `UIBackgroundModes`: both at first.
  public func setBluetoothBackgroundModes(central: Bool, peripheral: Bool) {
    var modes: BluetoothModes = []
    if central { modes.insert(.central) }
    if peripheral { modes.insert(.peripheral) }
    let chosen = modes
    shell.changeBluetooth { $0.setModes(chosen, device: $1, at: $2) }
  }

  /// Whether the user says yes when another device is to be paired: at first yes.
  public func setAcceptsPairing(_ accepts: Bool) {
    shell.changeBluetooth { air, place, _ in
      air.setAcceptsPairing(accepts, device: place)
    }
  }

  /// Connections at once: 12 at first.
  public func setBluetoothConnectionLimit(_ limit: Int) {
    shell.changeBluetooth { air, place, _ in
      air.setConnectionLimit(limit, device: place)
    }
  }

  /// Loses this share of the Bluetooth packets to and from this phone beside what power says, 0 to 1.
  public func loseBluetoothPackets(_ share: Double) {
    shell.setBluetoothLoss(share.isFinite ? share : 0)
  }

  /// This phone forgets that it is paired with another, or with all where that is `nil`; the other does not know.
  public func forgetBluetooth(_ other: Phone? = nil) {
    guard let other else {
      return shell.changeBluetooth { air, place, _ in air.unpair(place, from: nil) }
    }
    shell.changeBluetooth(and: other.shell) { air, place, other, _ in
      air.unpair(place, from: other)
    }
  }

  /// Breaks the Bluetooth connections with another phone as they are now; both hear so at once.
  public func cutBluetooth(to other: Phone) {
    shell.changeBluetooth(and: other.shell) { $0.cut($1, $2, at: $3) }
  }
}

extension PermissionAnswer {
  /// Bluetooth knows no "once".
  var bluetooth: BluetoothAuthorization { self == .deny ? .denied : .allowedAlways }
}
