import NearbyDeviceMachine

/// The domain of `ARError`. Apple does not publish the string, so apps should compare the symbol.
public let ARErrorDomain = "com.apple.arkit.error"

/// Why a session failed.
///
/// Source: Apple's documentation of `ARError`.
public struct ARError: CustomNSError, Hashable, Sendable {
  /// Apple's error codes, with Apple's numbers.
  public enum Code: Int, Sendable, CaseIterable {
    /// This device does not support the configuration.
    case unsupportedConfiguration = 100
    /// A required sensor is unavailable. Never reported here.
    case sensorUnavailable = 101
    /// A sensor failed. Never reported here.
    case sensorFailed = 102
    /// The user denied access to the camera, or the app has no usage description for it.
    case cameraUnauthorized = 103
    /// Never reported here.
    case microphoneUnauthorized = 104
    /// Never reported here.
    case locationUnauthorized = 105
    /// Never reported here.
    case highResolutionFrameCaptureInProgress = 106
    /// Never reported here.
    case highResolutionFrameCaptureFailed = 107
    /// Never reported here.
    case worldTrackingFailed = 200
    /// Never reported here.
    case geoTrackingNotAvailableAtLocation = 201
    /// Never reported here.
    case geoTrackingFailed = 202
    /// Never reported here.
    case invalidReferenceImage = 300
    /// Never reported here.
    case invalidReferenceObject = 301
    /// Never reported here.
    case invalidWorldMap = 302
    /// A world map was requested from a session that has not run.
    case invalidConfiguration = 303
    /// Never reported here.
    case invalidCollaborationData = 304
    /// Never reported here.
    case insufficientFeatures = 400
    /// Never reported here.
    case objectMergeFailed = 401
    /// Never reported here.
    case fileIOFailed = 500
    /// Never reported here.
    case requestFailed = 501
  }

  /// What went wrong.
  public let code: Code

  /// Creates an error with the given code.
  public init(_ code: Code) { self.code = code }

  init(_ failure: CameraFailure) {
    switch failure {
    case .unsupported: self.init(.unsupportedConfiguration)
    case .unauthorized: self.init(.cameraUnauthorized)
    }
  }

  /// `ARErrorDomain`.
  public static var errorDomain: String { ARErrorDomain }
  /// The raw value of `code`.
  public var errorCode: Int { code.rawValue }
  /// The localized description, for code that reads the error as an `NSError`.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription] }

  /// What went wrong, in a sentence.
  public var localizedDescription: String {
    switch code {
    case .unsupportedConfiguration: "This device cannot do what the configuration asks."
    case .cameraUnauthorized: "The camera is not allowed, or NSCameraUsageDescription is missing."
    default: "Tracking failed with error \(code.rawValue)."
    }
  }
}

extension ARError.Code {
  /// Lets `case ARError.cameraUnauthorized` match any `Error`.
  public static func ~= (code: ARError.Code, error: any Error) -> Bool { (error as? ARError)?.code == code }
}

extension ARError {
  /// `Code.unsupportedConfiguration`.
  public static var unsupportedConfiguration: Code { .unsupportedConfiguration }
  /// `Code.sensorUnavailable`.
  public static var sensorUnavailable: Code { .sensorUnavailable }
  /// `Code.sensorFailed`.
  public static var sensorFailed: Code { .sensorFailed }
  /// `Code.cameraUnauthorized`.
  public static var cameraUnauthorized: Code { .cameraUnauthorized }
  /// `Code.worldTrackingFailed`.
  public static var worldTrackingFailed: Code { .worldTrackingFailed }
  /// `Code.invalidConfiguration`.
  public static var invalidConfiguration: Code { .invalidConfiguration }
  /// `Code.insufficientFeatures`.
  public static var insufficientFeatures: Code { .insufficientFeatures }
}
