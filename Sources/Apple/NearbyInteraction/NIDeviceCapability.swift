import NearbyDeviceMachine

/// What a device can do.
public protocol NIDeviceCapability {
  /// Whether the device measures the distance to a peer.
  var supportsPreciseDistanceMeasurement: Bool { get }
  /// Whether the device measures the direction to a peer in its antennas' field of view.
  var supportsDirectionMeasurement: Bool { get }
  /// Whether the device combines ranges with camera tracking.
  var supportsCameraAssistance: Bool { get }
  /// Whether the device measures extended distances, with a peer that supports them too.
  var supportsExtendedDistanceMeasurement: Bool { get }
  /// Whether the device locates itself among anchors by downlink time difference of arrival.
  var supportsDLTDOAMeasurement: Bool { get }
  /// Whether the device measures distances by Bluetooth Channel Sounding.
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
