/// Runs a device, in real time on this machine or in a world's virtual time, and provides its sides.
package protocol DeviceShell: Sendable {
  var sessions: any SessionSide { get }
  var accessory: any AccessorySide { get }
  var camera: any CameraSide { get }
  var bluetooth: any BluetoothSide { get }
  var peers: any PeerSide { get }
  var location: any LocationSide { get }
  /// `nil` where accessories can't be set up.
  var accessorySetup: (any AccessorySetupSide)? { get }
  var app: any AppSide { get }
}
