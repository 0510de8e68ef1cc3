// swift-format-ignore-file
// Uses every public name of our ARKit once, with exactly Apple's type, and the modules that ARKit re-exports.
import ARKit

enum EveryCameraName {
  static func session(_ session: ARSession) {
    let _: () -> ARSession = ARSession.init
    let _: UUID = session.identifier
    let _: ARSessionDelegate? = session.delegate
    let _: DispatchQueue? = session.delegateQueue
    let _: ARFrame? = session.currentFrame
    let _: ARConfiguration? = session.configuration
    let _: (ARConfiguration, ARSession.RunOptions) -> Void = session.run(_:options:)
    let _: () -> Void = session.pause
    let _: (ARAnchor) -> Void = session.add(anchor:)
    let _: (ARAnchor) -> Void = session.remove(anchor:)
    let _: (simd_float4x4) -> Void = session.setWorldOrigin(relativeTransform:)
    let _: (@escaping (ARWorldMap?, Error?) -> Void) -> Void = session.getCurrentWorldMap(completionHandler:)
    let _: (ARSession.CollaborationData) -> Void = session.update(with:)
    let _: ARSession.RunOptions = [.resetTracking, .removeExistingAnchors, .stopTrackedRaycasts, .resetSceneReconstruction]
  }
  static func delegate(_ delegate: ARSessionDelegate) {
    let _: (ARSession, Error) -> Void = delegate.session(_:didFailWithError:)
    let _: (ARSession, ARCamera) -> Void = delegate.session(_:cameraDidChangeTrackingState:)
    let _: (ARSession) -> Void = delegate.sessionWasInterrupted(_:)
    let _: (ARSession) -> Void = delegate.sessionInterruptionEnded(_:)
    let _: (ARSession) -> Bool = delegate.sessionShouldAttemptRelocalization(_:)
    let _: (ARSession, ARSession.CollaborationData) -> Void = delegate.session(_:didOutputCollaborationData:)
    let _: ARSessionObserver = delegate
    let _: (ARSession, ARFrame) -> Void = delegate.session(_:didUpdate:)
    let _: (ARSession, [ARAnchor]) -> Void = delegate.session(_:didUpdate:)
    let _: (ARSession, [ARAnchor]) -> Void = delegate.session(_:didAdd:)
    let _: (ARSession, [ARAnchor]) -> Void = delegate.session(_:didRemove:)
  }
  static func configuration() {
    let _: () -> ARWorldTrackingConfiguration = ARWorldTrackingConfiguration.init
    let configuration = ARWorldTrackingConfiguration()
    let _: (Bool, Bool) = (ARWorldTrackingConfiguration.isSupported, ARWorldTrackingConfiguration.supportsUserFaceTracking)
    configuration.worldAlignment = .gravity
    configuration.planeDetection = [.horizontal, .vertical]
    configuration.environmentTexturing = .automatic
    let _: ARWorldMap? = configuration.initialWorldMap
    let _: [Bool] = [
      configuration.isCollaborationEnabled, configuration.userFaceTrackingEnabled, configuration.isAutoFocusEnabled,
      configuration.isLightEstimationEnabled, configuration.providesAudioData,
    ]
    let _: (ARConfiguration.FrameSemantics) -> Bool = ARWorldTrackingConfiguration.supportsFrameSemantics(_:)
    let _: (ARConfiguration.SceneReconstruction) -> Bool =
      ARWorldTrackingConfiguration.supportsSceneReconstruction(_:)
    let _: ARConfiguration & NSCopying = configuration
    let _: ARConfiguration.FrameSemantics = configuration.frameSemantics
    let _: ARConfiguration.SceneReconstruction = configuration.sceneReconstruction
    let _: [ARConfiguration.WorldAlignment] = [.gravity, .gravityAndHeading, .camera]
  }
  static func frame(_ frame: ARFrame) {
    let _: TimeInterval = frame.timestamp
    let camera: ARCamera = frame.camera
    let _: [ARAnchor] = frame.anchors
    let _: CGFloat? = frame.lightEstimate?.ambientIntensity
    let _: ARPointCloud? = frame.rawFeaturePoints
    let _: ARFrame.WorldMappingStatus = frame.worldMappingStatus
    let _: ARCamera.TrackingState = camera.trackingState
    let _: ARCamera.TrackingState.Reason = .initializing
    let _: [NSObject & NSCopying] = [frame, camera]
    let _: (simd_float4x4, simd_float3, simd_float3x3) = (camera.transform, camera.eulerAngles, camera.intrinsics)
    let _: (CGSize, simd_float4x4) = (camera.imageResolution, camera.projectionMatrix)
    switch camera.trackingState {
    case .notAvailable, .normal: break
    case .limited(.initializing), .limited(.excessiveMotion), .limited(.insufficientFeatures), .limited(.relocalizing): break
    case .limited: break
    }
  }
  static func anchor() -> [ARAnchor] {
    let anchor = ARAnchor(transform: matrix_identity_float4x4)
    let named = ARAnchor(name: "here", transform: anchor.transform)
    let _: (UUID, String?, UUID?) = (named.identifier, named.name, named.sessionIdentifier)
    return [anchor, named, ARAnchor(anchor: named)]
  }
  static func map(_ map: ARWorldMap, _ tracked: ARTrackable, _ error: ARError) {
    let _: (simd_float3, simd_float3) = (map.center, map.extent)
    let _: [ARAnchor] = map.anchors
    let _: ARPointCloud = map.rawFeaturePoints
    let _: Bool = tracked.isTracked
    let _: ARError.Code = error.code
    let _: [NSObject & NSCopying & NSSecureCoding] = [map, ARAnchor(transform: matrix_identity_float4x4)]
    let _: [ARFrame.WorldMappingStatus] = [.notAvailable, .limited, .extending, .mapped]
    let _: [ARSession.CollaborationData.Priority] = [.critical, .optional]
  }
  static let domain: String = ARErrorDomain
  static let codes: [ARError.Code] = [
    .unsupportedConfiguration, .sensorUnavailable, .sensorFailed, .cameraUnauthorized, .microphoneUnauthorized,
    .locationUnauthorized, .highResolutionFrameCaptureInProgress, .highResolutionFrameCaptureFailed,
    .worldTrackingFailed, .geoTrackingNotAvailableAtLocation, .geoTrackingFailed, .invalidReferenceImage,
    .invalidReferenceObject, .invalidWorldMap, .invalidConfiguration, .invalidCollaborationData, .insufficientFeatures,
    .objectMergeFailed, .fileIOFailed, .requestFailed,
  ]
  /// ARKit re-exports UIKit, as Apple's does.
  static let name: (UIDevice) -> String = { $0.name }
}
