import NearbyDeviceMachine

/// What a device can do.
public protocol NIDeviceCapability {
  /// Distances to a peer.
  var supportsPreciseDistanceMeasurement: Bool { get }
  /// Directions to a peer in view of the antennas.
  var supportsDirectionMeasurement: Bool { get }
  /// The camera's view beside the ranges.
  var supportsCameraAssistance: Bool { get }
  /// Distances further out, where the peer can too.
  var supportsExtendedDistanceMeasurement: Bool { get }
  /// Position among anchors, by downlink time difference of arrival.
  var supportsDLTDOAMeasurement: Bool { get }
  /// Distances by Bluetooth Channel Sounding.
  var supportsBluetoothChannelSounding: Bool { get }
}

struct DeviceCapability: NIDeviceCapability, Hashable, Sendable {
  let capabilities: DeviceCapabilities

  var supportsPreciseDistanceMeasurement: Bool { capabilities.contains(.preciseDistance) }
  var supportsDirectionMeasurement: Bool { capabilities.contains(.direction) }
  var supportsCameraAssistance: Bool { capabilities.contains(.cameraAssistance) }
  var supportsExtendedDistanceMeasurement: Bool { capabilities.contains(.extendedDistance) }
  var supportsDLTDOAMeasurement: Bool { capabilities.contains(.downlinkTDoA) }
  var supportsBluetoothChannelSounding: Bool { capabilities.contains(.channelSounding) }
}
