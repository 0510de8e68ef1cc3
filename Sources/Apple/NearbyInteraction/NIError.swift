import NearbyDeviceMachine

/// The domain of `NIError`. Apple does not publish the string, so apps should compare the symbol.
public let NIErrorDomain = "NIErrorDomain"

/// Why a session ended, or why a configuration could not be created.
///
/// Source: Apple's documentation of `NIError`.
public struct NIError: CustomNSError, Hashable, Sendable {
  /// Apple's error codes, with Apple's numbers.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The hardware or platform does not support the request.
    case unsupportedPlatform = -5889
    /// The configuration cannot be run, for example because it names the session's own token.
    case invalidConfiguration = -5888
    /// The session failed and cannot recover.
    case sessionFailed = -5887
    /// The system ended a session that ran for too long.
    case resourceUsageTimeout = -5886
    /// More sessions than the device supports at once.
    case activeSessionsLimitExceeded = -5885
    /// The user denied permission.
    case userDidNotAllow = -5884
    /// Camera assistance is unavailable, or the AR session does not meet its requirements.
    case invalidARConfiguration = -5883
    /// The accessory with this Bluetooth identifier is not paired and connected.
    case accessoryPeerDeviceUnavailable = -5882
    /// The peer's device does not support what the configuration asks for.
    case incompatiblePeerDevice = -5881
    /// Another extended-distance session is already running.
    case activeExtendedDistanceSessionsLimitExceeded = -5880
  }

  /// What went wrong.
  public let code: Code
  /// The localized description, for code that reads the error as an `NSError`.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: code.explanation] }
  /// The code's raw value.
  public var errorCode: Int { code.rawValue }
  /// `NIErrorDomain`.
  public static var errorDomain: String { NIErrorDomain }

  /// Creates an error with the given code.
  public init(_ code: Code) { self.code = code }

  /// What went wrong, in a sentence.
  public var localizedDescription: String { code.explanation }

  /// `Code.unsupportedPlatform`.
  public static var unsupportedPlatform: Code { .unsupportedPlatform }
  /// `Code.invalidConfiguration`.
  public static var invalidConfiguration: Code { .invalidConfiguration }
  /// `Code.sessionFailed`.
  public static var sessionFailed: Code { .sessionFailed }
  /// `Code.resourceUsageTimeout`.
  public static var resourceUsageTimeout: Code { .resourceUsageTimeout }
  /// `Code.activeSessionsLimitExceeded`.
  public static var activeSessionsLimitExceeded: Code { .activeSessionsLimitExceeded }
  /// `Code.userDidNotAllow`.
  public static var userDidNotAllow: Code { .userDidNotAllow }
  /// `Code.invalidARConfiguration`.
  public static var invalidARConfiguration: Code { .invalidARConfiguration }
  /// `Code.accessoryPeerDeviceUnavailable`.
  public static var accessoryPeerDeviceUnavailable: Code { .accessoryPeerDeviceUnavailable }
  /// `Code.incompatiblePeerDevice`.
  public static var incompatiblePeerDevice: Code { .incompatiblePeerDevice }
  /// `Code.activeExtendedDistanceSessionsLimitExceeded`.
  public static var activeExtendedDistanceSessionsLimitExceeded: Code {
    .activeExtendedDistanceSessionsLimitExceeded
  }
}

extension NIError.Code {
  /// Lets `case NIError.userDidNotAllow` match any `Error`.
  public static func ~= (code: NIError.Code, error: any Error) -> Bool {
    (error as? NIError)?.code == code
  }

  var explanation: String {
    switch self {
    case .unsupportedPlatform: "This device has no ultra-wideband radio."
    case .invalidConfiguration: "The configuration cannot be run; a session cannot range with its own token."
    case .sessionFailed: "The session failed."
    case .resourceUsageTimeout: "The session ran, or waited in the background, for too long."
    case .activeSessionsLimitExceeded: "Too many sessions are running on this device."
    case .userDidNotAllow: "The user did not allow nearby interaction."
    case .invalidARConfiguration: "Camera assistance cannot be had with this AR session or device."
    case .accessoryPeerDeviceUnavailable: "The accessory is not paired and connected."
    case .incompatiblePeerDevice: "The peer's device cannot do what the configuration asks."
    case .activeExtendedDistanceSessionsLimitExceeded: "Another extended-distance session is running."
    }
  }
}

extension NIError {
  init(failure: SessionFailure) {
    switch failure {
    case .unsupportedPlatform: self.init(.unsupportedPlatform)
    case .invalidConfiguration: self.init(.invalidConfiguration)
    case .sessionFailed: self.init(.sessionFailed)
    case .resourceUsageTimeout: self.init(.resourceUsageTimeout)
    case .activeSessionsLimitExceeded: self.init(.activeSessionsLimitExceeded)
    case .userDidNotAllow: self.init(.userDidNotAllow)
    case .invalidARConfiguration: self.init(.invalidARConfiguration)
    case .accessoryPeerDeviceUnavailable: self.init(.accessoryPeerDeviceUnavailable)
    case .incompatiblePeerDevice: self.init(.incompatiblePeerDevice)
    case .activeExtendedDistanceSessionsLimitExceeded:
      self.init(.activeExtendedDistanceSessionsLimitExceeded)
    }
  }
}
