import Foundation
import NearbyAccessorySetup

/// The domain of `ASError`.
public let ASErrorDomain = "ASErrorDomain"

/// Why a request of an accessory session failed.
///
/// Source: Apple's documentation of `ASError`. The raw values of the codes are our own; Apple does not publish them.
public struct ASError: CustomNSError, Hashable, Sendable {
  /// The error codes.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// No error.
    case success
    /// An unknown error occurred.
    case unknown
    /// The session could not be activated, because the app declares no accessories or the device has no set-up.
    case activationFailed
    /// The accessory that the user chose could not be connected and paired.
    case connectionFailed
    /// Nothing was found in time.
    case discoveryTimeout
    /// The app's extension was not found; never reported here.
    case extensionNotFound
    /// The session is not active.
    case invalidated
    /// An argument is invalid, or not declared in the app's `Info.plist`.
    case invalidRequest
    /// A picker is already open.
    case pickerAlreadyActive
    /// The app may not show a picker now; never reported here.
    case pickerRestricted
    /// The user closed the picker.
    case userCancelled
    /// The user may not set up accessories; never reported here.
    case userRestricted
  }

  /// The error code.
  public let code: Code

  /// Creates an error with a code.
  public init(_ code: Code) { self.code = code }

  /// The numeric value of `code`.
  public var errorCode: Int { code.rawValue }
  /// `ASErrorDomain`.
  public static var errorDomain: String { ASErrorDomain }
  /// The name of the code.
  public var localizedDescription: String { "\(code)" }

  /// `Code.success`.
  public static var success: Code { .success }
  /// `Code.unknown`.
  public static var unknown: Code { .unknown }
  /// `Code.activationFailed`.
  public static var activationFailed: Code { .activationFailed }
  /// `Code.connectionFailed`.
  public static var connectionFailed: Code { .connectionFailed }
  /// `Code.discoveryTimeout`.
  public static var discoveryTimeout: Code { .discoveryTimeout }
  /// `Code.extensionNotFound`.
  public static var extensionNotFound: Code { .extensionNotFound }
  /// `Code.invalidated`.
  public static var invalidated: Code { .invalidated }
  /// `Code.invalidRequest`.
  public static var invalidRequest: Code { .invalidRequest }
  /// `Code.pickerAlreadyActive`.
  public static var pickerAlreadyActive: Code { .pickerAlreadyActive }
  /// `Code.pickerRestricted`.
  public static var pickerRestricted: Code { .pickerRestricted }
  /// `Code.userCancelled`.
  public static var userCancelled: Code { .userCancelled }
  /// `Code.userRestricted`.
  public static var userRestricted: Code { .userRestricted }
}

extension SetupFailure {
  var error: ASError {
    switch self {
    case .activationFailed: ASError(.activationFailed)
    case .connectionFailed: ASError(.connectionFailed)
    case .discoveryTimeout: ASError(.discoveryTimeout)
    case .invalidated: ASError(.invalidated)
    case .invalidRequest: ASError(.invalidRequest)
    case .pickerAlreadyActive: ASError(.pickerAlreadyActive)
    case .userCancelled: ASError(.userCancelled)
    }
  }
}
