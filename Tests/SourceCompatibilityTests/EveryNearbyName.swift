// swift-format-ignore-file
// Uses every public name of NearbyInteraction once, with exactly Apple's type.
import ARKit
import NearbyInteraction

enum EveryNearbyName {
  static func session(_ session: NISession) {
    let _: () -> NISession = NISession.init
    let _: any NIDeviceCapability = NISession.deviceCapabilities
    let _: (any NISessionDelegate)? = session.delegate
    let _: DispatchQueue? = session.delegateQueue
    let _: NIDiscoveryToken? = session.discoveryToken
    let _: NIConfiguration? = session.configuration
    let _: (NIConfiguration) -> Void = session.run(_:)
    let _: () -> Void = session.pause
    let _: () -> Void = session.invalidate
    let _: (ARSession) -> Void = session.setARSession(_:)
    let _: (NINearbyObject) -> simd_float4x4? = session.worldTransform(for:)
    let _: (NIMotionActivityState, NIDiscoveryToken) -> Void = session.updateMotionState(_:forObjectWithToken:)
  }
  @available(*, deprecated) static func isSupported() -> Bool { NISession.isSupported }

  static func capability(_ capability: any NIDeviceCapability) -> [Bool] {
    [
      capability.supportsPreciseDistanceMeasurement, capability.supportsDirectionMeasurement,
      capability.supportsCameraAssistance, capability.supportsExtendedDistanceMeasurement,
      capability.supportsDLTDOAMeasurement, capability.supportsBluetoothChannelSounding,
    ]
  }

  static func delegate(_ delegate: any NISessionDelegate) {
    let _: (NISession, [NINearbyObject]) -> Void = delegate.session(_:didUpdate:)
    let _: (NISession, [NINearbyObject], NINearbyObject.RemovalReason) -> Void = delegate.session(_:didRemove:reason:)
    let _: (NISession) -> Void = delegate.sessionWasSuspended(_:)
    let _: (NISession) -> Void = delegate.sessionSuspensionEnded(_:)
    let _: (NISession, Error) -> Void = delegate.session(_:didInvalidateWith:)
    let _: (NISession, Data, NINearbyObject) -> Void = delegate.session(_:didGenerateShareableConfigurationData:for:)
    let _: (NISession, NIAlgorithmConvergence, NINearbyObject?) -> Void = delegate.session(_:didUpdateAlgorithmConvergence:for:)
    let _: (NISession) -> Void = delegate.sessionDidStartRunning(_:)
    let _: (NISession, [NIDLTDOAMeasurement]) -> Void = delegate.session(_:didUpdateDLTDOA:)
  }

  static func configurations(_ token: NIDiscoveryToken, _ coder: NSCoder) {
    let _: any NIDeviceCapability = token.deviceCapabilities
    let _: (NSCoder) -> NIDiscoveryToken? = NIDiscoveryToken.init(coder:)
    let _: (NSCoder) -> NIConfiguration? = NIConfiguration.init(coder:)
    let _: (NIDiscoveryToken) -> NINearbyPeerConfiguration = NINearbyPeerConfiguration.init(peerToken:)
    let peer = NINearbyPeerConfiguration(peerToken: token)
    let _: NIDiscoveryToken = peer.peerDiscoveryToken
    let _: (Bool, Bool) = (peer.isCameraAssistanceEnabled, peer.isExtendedDistanceMeasurementEnabled)
    let _: (Data) throws -> NINearbyAccessoryConfiguration = NINearbyAccessoryConfiguration.init(data:)
    let _: (Data, UUID) throws -> NINearbyAccessoryConfiguration =
      NINearbyAccessoryConfiguration.init(accessoryData:bluetoothPeerIdentifier:)
    let _: (UUID, UUID?) -> NINearbyAccessoryConfiguration =
      NINearbyAccessoryConfiguration.init(bluetoothChannelSoundingIdentifier:previousBluetoothIdentifier:)
    let _: KeyPath<NINearbyAccessoryConfiguration, NIDiscoveryToken> = \.accessoryDiscoveryToken
    let _: ReferenceWritableKeyPath<NINearbyAccessoryConfiguration, Bool> = \.isCameraAssistanceEnabled
    let _: (Int) -> NIDLTDOAConfiguration = NIDLTDOAConfiguration.init(networkIdentifier:)
    let _: (Int, NIDLTDOAConfiguration.DiscoveryMethod) -> NIDLTDOAConfiguration =
      NIDLTDOAConfiguration.init(networkIdentifier:discoveryMethod:)
    let anchors = NIDLTDOAConfiguration(networkIdentifier: 7)
    anchors.networkIdentifier = 8
    anchors.discoveryMethod = .wifi
    let _: [NSSecureCoding & NSCopying & NSObject] = [token, peer, anchors]
  }

  static func object(_ object: NINearbyObject) {
    let _: NIDiscoveryToken = object.discoveryToken
    let _: Float? = object.distance
    let _: simd_float3? = object.direction
    let _: Float? = object.horizontalAngle
    let _: NINearbyObject.VerticalDirectionEstimate = object.verticalDirectionEstimate
  }
  static let reasons: [NINearbyObject.RemovalReason] = [.timeout, .peerEnded]
  static let verticals: [NINearbyObject.VerticalDirectionEstimate] = [.unknown, .same, .above, .below, .aboveOrBelow]
  static let methods: [NIDLTDOAConfiguration.DiscoveryMethod] = [.wifi, .bluetoothLowEnergy]
  static let coordinateTypes: [NIDLTDOACoordinatesType] = [.geodetic, .relative]
  static let measurementTypes: [NIDLTDOAMeasurementType] = [.poll, .response, .final]
  static let motions: [NIMotionActivityState] = [.unknown, .stationary, .moving]

  static func convergence(_ convergence: NIAlgorithmConvergence) -> [NIAlgorithmConvergenceStatus.Reason] {
    let all: [NIAlgorithmConvergenceStatus.Reason] = [
      .insufficientMovement, .insufficientHorizontalSweep, .insufficientVerticalSweep, .insufficientLighting,
      .insufficientSignalStrength,
    ]
    let _: (String, String?) = (all[0].rawValue, all[0].localizedDescription)
    let _ = NIAlgorithmConvergenceStatus.Reason(rawValue: "")
    switch convergence.status {
    case .unknown, .converged: return all
    case .notConverged(let reasons): return reasons
    }
  }

  static func measurement(_ m: NIDLTDOAMeasurement) {
    let _: (Int, Int, NIDLTDOAMeasurementType) = (m.address, m.clusterInitiatorAddress, m.measurementType)
    let _: (Double, Double, UInt64, UInt64) = (m.transmitTime, m.receiveTime, m.rawTransmitTime, m.rawReceiveTime)
    let _: (Double, Double, Double?) = (m.signalStrength, m.carrierFrequencyOffset, m.responderClockFrequencyOffset)
    let _: (NIDLTDOACoordinatesType, simd_double3) = (m.coordinatesType, m.coordinates)
    let floor: NIDLTDOAMeasurement.FloorElevation? = m.floorElevation
    let _: (Int?, Double?) = (floor?.floorNumber, floor?.height)
  }

  static func error(_ error: NIError) {
    let _: CustomNSError & Sendable = error
    let _: Set<NIError> = [error]
    let _: NIError.Code = error.code
  }
  static let codes: [NIError.Code] = [
    .unsupportedPlatform, .invalidConfiguration, .sessionFailed, .resourceUsageTimeout, .activeSessionsLimitExceeded,
    .userDidNotAllow, .invalidARConfiguration, .accessoryPeerDeviceUnavailable, .incompatiblePeerDevice,
    .activeExtendedDistanceSessionsLimitExceeded,
  ]
  static let shorthands: [NIError.Code] = [
    NIError.unsupportedPlatform, NIError.invalidConfiguration, NIError.sessionFailed, NIError.resourceUsageTimeout,
    NIError.activeSessionsLimitExceeded, NIError.userDidNotAllow, NIError.invalidARConfiguration,
    NIError.accessoryPeerDeviceUnavailable, NIError.incompatiblePeerDevice,
    NIError.activeExtendedDistanceSessionsLimitExceeded,
  ]
  static let domains: [String] = [NIErrorDomain, NIError.errorDomain]
}
