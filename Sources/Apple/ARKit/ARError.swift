import NearbyDeviceMachine

/// The domain of `ARError`.
public let ARErrorDomain = "com.apple.arkit.error"

/// Why a session failed.
///
/// Source: `facts/arkit.md`, section 5; the text of the domain is not documented.
public struct ARError: CustomNSError, Hashable, Sendable {
  /// What went wrong.
  public enum Code: Int, Sendable, CaseIterable {
    /// This device cannot do what the configuration asks.
    case unsupportedConfiguration = 100
    /// No poses come.
    case sensorUnavailable = 101
    /// Poses ceased.
    case sensorFailed = 102
    /// The user did not allow the camera, or the app gave no reason for asking.
    case cameraUnauthorized = 103
    /// Not used here, like the others that follow.
    case microphoneUnauthorized = 104
    /// Not used here.
    case locationUnauthorized = 105
    /// Not used here.
    case highResolutionFrameCaptureInProgress = 106
    /// Not used here.
    case highResolutionFrameCaptureFailed = 107
    /// Not used here.
    case worldTrackingFailed = 200
    /// Not used here.
    case geoTrackingNotAvailableAtLocation = 201
    /// Not used here.
    case geoTrackingFailed = 202
    /// Not used here.
    case invalidReferenceImage = 300
    /// Not used here.
    case invalidReferenceObject = 301
    /// Not used here.
    case invalidWorldMap = 302
    /// Not used here.
    case invalidConfiguration = 303
    /// Not used here.
    case invalidCollaborationData = 304
    /// Not used here.
    case insufficientFeatures = 400
    /// Not used here.
    case objectMergeFailed = 401
    /// Not used here.
    case fileIOFailed = 500
    /// Not used here.
    case requestFailed = 501
  }

  /// What went wrong.
  public let code: Code

  /// Makes an error.
  public init(_ code: Code) { self.code = code }

  init(_ failure: CameraFailure) {
    switch failure {
    case .unsupported: self.init(.unsupportedConfiguration)
    case .unauthorized: self.init(.cameraUnauthorized)
    }
  }

  /// `ARErrorDomain`
  public static var errorDomain: String { ARErrorDomain }
  /// The raw value of `code`.
  public var errorCode: Int { code.rawValue }
  /// What to tell a person.
  public var errorUserInfo: [String: Any] { code.userInfo() }

  /// What to tell a person.
  public var localizedDescription: String { code.explanation }
}

extension ARError.Code: ExplainedCode {
  /// Lets `case ARError.cameraUnauthorized` match any error.
  public static func ~= (code: ARError.Code, error: any Error) -> Bool { (error as? ARError)?.code == code }

  package var explanation: String {
    switch self {
    case .unsupportedConfiguration: "This device cannot do what the configuration asks."
    case .cameraUnauthorized: "The camera is not allowed, or NSCameraUsageDescription is missing."
    default: "Tracking failed with error \(rawValue)."
    }
  }
}

extension ARError {
  /// This device cannot do what the configuration asks.
  public static var unsupportedConfiguration: Code { .unsupportedConfiguration }
  /// No poses come.
  public static var sensorUnavailable: Code { .sensorUnavailable }
  /// Poses ceased.
  public static var sensorFailed: Code { .sensorFailed }
  /// The user did not allow the camera, or the app gave no reason for asking.
  public static var cameraUnauthorized: Code { .cameraUnauthorized }
  /// The world could not be tracked.
  public static var worldTrackingFailed: Code { .worldTrackingFailed }
  /// The configuration contradicts itself.
  public static var invalidConfiguration: Code { .invalidConfiguration }
  /// Too little was seen.
  public static var insufficientFeatures: Code { .insufficientFeatures }
}
