import Foundation
import NearbyBluetooth

/// The domain of `CBError`.
public let CBErrorDomain = "CBErrorDomain"

/// Why an operation with a peer failed.
///
/// Source: Apple's documentation of `CBError`.
public struct CBError: CustomNSError, Hashable, Sendable {
  /// The error codes, numbered as Apple's.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// An unknown error occurred.
    case unknown = 0
    /// An argument is invalid.
    case invalidParameters = 1
    /// The attribute handle is no longer valid.
    case invalidHandle = 2
    /// The device is not connected.
    case notConnected = 3
    /// There is no space left.
    case outOfSpace = 4
    /// The operation was cancelled.
    case operationCancelled = 5
    /// The connection timed out because the other device stopped responding.
    case connectionTimeout = 6
    /// The other device closed the connection.
    case peripheralDisconnected = 7
    /// This UUID is reserved for the system.
    case uuidNotAllowed = 8
    /// Advertising is already running.
    case alreadyAdvertising = 9
    /// The connection could not be established.
    case connectionFailed = 10
    /// The maximum number of connections is reached.
    case connectionLimitReached = 11
    /// The device is unknown.
    case unknownDevice = 12
    /// The operation is not supported.
    case operationNotSupported = 13
    /// The other device deleted its pairing information.
    case peerRemovedPairingInformation = 14
    /// The link could not be encrypted in time.
    case encryptionTimedOut = 15
    /// The maximum number of paired devices is reached.
    case tooManyLEPairedDevices = 16
    /// A watch app in the background received too many notifications.
    case leGattExceededBackgroundNotificationLimit = 17
    /// A watch app in the background is close to its limit of notifications.
    case leGattNearBackgroundNotificationLimit = 18

    /// Channel Sounding could not be set up with the peripheral. The value is our own; Apple's is not published.
    case channelSoundingConfigurationFailed = 19
    /// A Channel Sounding procedure failed. The value is our own; Apple's is not published.
    case channelSoundingProcedureFailed = 20

    /// Apple's original misspelling of `unknownDevice`.
    public static var unkownDevice: Code { .unknownDevice }
  }

  /// The error code.
  public let code: Code
  private let info: [String: String]

  /// Creates an error with a code. Only the strings of `userInfo` are kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    info = Code.texts(of: userInfo)
  }

  /// The numeric value of `code`.
  public var errorCode: Int { code.rawValue }
  /// The `userInfo` of the bridged `NSError`.
  public var errorUserInfo: [String: Any] { code.userInfo(with: info) }
  /// `CBErrorDomain`.
  public static var errorDomain: String { CBErrorDomain }
  /// A one-sentence description of the error.
  public var localizedDescription: String { code.description(with: info) }
}

extension CBError {
  /// `Code.unknown`.
  public static var unknown: Code { .unknown }
  /// `Code.invalidParameters`.
  public static var invalidParameters: Code { .invalidParameters }
  /// `Code.invalidHandle`.
  public static var invalidHandle: Code { .invalidHandle }
  /// `Code.notConnected`.
  public static var notConnected: Code { .notConnected }
  /// `Code.outOfSpace`.
  public static var outOfSpace: Code { .outOfSpace }
  /// `Code.operationCancelled`.
  public static var operationCancelled: Code { .operationCancelled }
  /// `Code.connectionTimeout`.
  public static var connectionTimeout: Code { .connectionTimeout }
  /// `Code.peripheralDisconnected`.
  public static var peripheralDisconnected: Code { .peripheralDisconnected }
  /// `Code.uuidNotAllowed`.
  public static var uuidNotAllowed: Code { .uuidNotAllowed }
  /// `Code.alreadyAdvertising`.
  public static var alreadyAdvertising: Code { .alreadyAdvertising }
  /// `Code.connectionFailed`.
  public static var connectionFailed: Code { .connectionFailed }
  /// `Code.connectionLimitReached`.
  public static var connectionLimitReached: Code { .connectionLimitReached }
  /// `Code.unknownDevice`.
  public static var unknownDevice: Code { .unknownDevice }
  /// `Code.operationNotSupported`.
  public static var operationNotSupported: Code { .operationNotSupported }
  /// `Code.peerRemovedPairingInformation`.
  public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
  /// `Code.encryptionTimedOut`.
  public static var encryptionTimedOut: Code { .encryptionTimedOut }
  /// `Code.tooManyLEPairedDevices`.
  public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
  /// `Code.leGattExceededBackgroundNotificationLimit`.
  public static var leGattExceededBackgroundNotificationLimit: Code {
    .leGattExceededBackgroundNotificationLimit
  }
  /// `Code.leGattNearBackgroundNotificationLimit`.
  public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
  /// `Code.channelSoundingConfigurationFailed`.
  public static var channelSoundingConfigurationFailed: Code { .channelSoundingConfigurationFailed }
  /// `Code.channelSoundingProcedureFailed`.
  public static var channelSoundingProcedureFailed: Code { .channelSoundingProcedureFailed }
}

extension CBError.Code: ExplainedCode {
  /// Lets `case CBError.connectionTimeout` match an error of any type.
  public static func ~= (code: CBError.Code, error: any Error) -> Bool { (error as? CBError)?.code == code }

  package var explanation: String {
    switch self {
    case .unknown: "Something went wrong with Bluetooth."
    case .invalidParameters: "An argument is not one of those allowed."
    case .invalidHandle: "The attribute is no longer there."
    case .notConnected: "The device is not connected."
    case .outOfSpace: "There is no room for more."
    case .operationCancelled: "The operation was cancelled."
    case .connectionTimeout: "The connection has timed out unexpectedly."
    case .peripheralDisconnected: "The specified device has disconnected from us."
    case .uuidNotAllowed: "The UUID is not allowed for this operation."
    case .alreadyAdvertising: "Advertising has already started."
    case .connectionFailed: "The connection failed."
    case .connectionLimitReached: "The maximum number of connections is reached."
    case .unknownDevice: "The device is not known."
    case .operationNotSupported: "The operation is not supported."
    case .peerRemovedPairingInformation: "Peer removed pairing information."
    case .encryptionTimedOut: "The connection could not be encrypted in time."
    case .tooManyLEPairedDevices: "There are too many paired devices."
    case .leGattExceededBackgroundNotificationLimit: "Too many notifications came in the background."
    case .leGattNearBackgroundNotificationLimit: "Almost too many notifications came in the background."
    case .channelSoundingConfigurationFailed: "Channel Sounding could not be set up."
    case .channelSoundingProcedureFailed: "The distance could not be measured."
    }
  }
}

/// The domain of `CBATTError`.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// Why a server rejected a request.
///
/// Source: Apple's documentation of `CBATTError`; Bluetooth Core 5.4 Vol 3 Part F §3.4.1.1.
public struct CBATTError: CustomNSError, Hashable, Sendable {
  /// The error codes of the Attribute Protocol, without the application-defined codes from 128 on.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The request succeeded.
    case success = 0
    /// The attribute handle is invalid.
    case invalidHandle = 1
    /// The attribute cannot be read.
    case readNotPermitted = 2
    /// The attribute cannot be written.
    case writeNotPermitted = 3
    /// The request is malformed.
    case invalidPdu = 4
    /// The devices must pair first.
    case insufficientAuthentication = 5
    /// The server does not support the request.
    case requestNotSupported = 6
    /// The offset is beyond the end of the value.
    case invalidOffset = 7
    /// The client is not authorized.
    case insufficientAuthorization = 8
    /// Too many prepared writes are queued.
    case prepareQueueFull = 9
    /// No attribute was found in the range.
    case attributeNotFound = 10
    /// The value is too short for a blob read.
    case attributeNotLong = 11
    /// The encryption key is too short.
    case insufficientEncryptionKeySize = 12
    /// The value's length is invalid for the attribute.
    case invalidAttributeValueLength = 13
    /// An unlikely error occurred.
    case unlikelyError = 14
    /// The link is not encrypted.
    case insufficientEncryption = 15
    /// The attribute type is not a supported grouping attribute.
    case unsupportedGroupType = 16
    /// The server has insufficient resources.
    case insufficientResources = 17
  }

  /// The error code.
  public let code: Code
  private let info: [String: String]

  /// Creates an error with a code. Only the strings of `userInfo` are kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    info = Code.texts(of: userInfo)
  }

  /// The numeric value of `code`.
  public var errorCode: Int { code.rawValue }
  /// The `userInfo` of the bridged `NSError`.
  public var errorUserInfo: [String: Any] { code.userInfo(with: info) }
  /// `CBATTErrorDomain`.
  public static var errorDomain: String { CBATTErrorDomain }
  /// A one-sentence description of the error.
  public var localizedDescription: String { code.description(with: info) }
}

extension CBATTError {
  /// `Code.success`.
  public static var success: Code { .success }
  /// `Code.invalidHandle`.
  public static var invalidHandle: Code { .invalidHandle }
  /// `Code.readNotPermitted`.
  public static var readNotPermitted: Code { .readNotPermitted }
  /// `Code.writeNotPermitted`.
  public static var writeNotPermitted: Code { .writeNotPermitted }
  /// `Code.invalidPdu`.
  public static var invalidPdu: Code { .invalidPdu }
  /// `Code.insufficientAuthentication`.
  public static var insufficientAuthentication: Code { .insufficientAuthentication }
  /// `Code.requestNotSupported`.
  public static var requestNotSupported: Code { .requestNotSupported }
  /// `Code.invalidOffset`.
  public static var invalidOffset: Code { .invalidOffset }
  /// `Code.insufficientAuthorization`.
  public static var insufficientAuthorization: Code { .insufficientAuthorization }
  /// `Code.prepareQueueFull`.
  public static var prepareQueueFull: Code { .prepareQueueFull }
  /// `Code.attributeNotFound`.
  public static var attributeNotFound: Code { .attributeNotFound }
  /// `Code.attributeNotLong`.
  public static var attributeNotLong: Code { .attributeNotLong }
  /// `Code.insufficientEncryptionKeySize`.
  public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
  /// `Code.invalidAttributeValueLength`.
  public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
  /// `Code.unlikelyError`.
  public static var unlikelyError: Code { .unlikelyError }
  /// `Code.insufficientEncryption`.
  public static var insufficientEncryption: Code { .insufficientEncryption }
  /// `Code.unsupportedGroupType`.
  public static var unsupportedGroupType: Code { .unsupportedGroupType }
  /// `Code.insufficientResources`.
  public static var insufficientResources: Code { .insufficientResources }
}

extension CBATTError.Code: ExplainedCode {
  /// Lets `case CBATTError.readNotPermitted` match an error of any type.
  public static func ~= (code: CBATTError.Code, error: any Error) -> Bool {
    (error as? CBATTError)?.code == code
  }

  package var explanation: String {
    switch self {
    case .success: "The request was followed."
    case .invalidHandle: "The handle is invalid."
    case .readNotPermitted: "Reading is not permitted."
    case .writeNotPermitted: "Writing is not permitted."
    case .invalidPdu: "The command is invalid."
    case .insufficientAuthentication: "Authentication is insufficient."
    case .requestNotSupported: "The request is not supported."
    case .invalidOffset: "The offset is invalid."
    case .insufficientAuthorization: "Authorization is insufficient."
    case .prepareQueueFull: "The prepare queue is full."
    case .attributeNotFound: "The attribute could not be found."
    case .attributeNotLong: "The attribute is not long."
    case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
    case .invalidAttributeValueLength: "The value's length is invalid."
    case .unlikelyError: "Unlikely error."
    case .insufficientEncryption: "Encryption is insufficient."
    case .unsupportedGroupType: "The group type is unsupported."
    case .insufficientResources: "Resources are insufficient."
    }
  }
}

extension BluetoothFailure {
  /// The error passed to the app's delegate.
  var error: any Error {
    switch self {
    case .notConnected: CBError(.notConnected)
    case .connectionTimeout: CBError(.connectionTimeout)
    case .peripheralDisconnected: CBError(.peripheralDisconnected)
    case .connectionFailed: CBError(.connectionFailed)
    case .connectionLimitReached: CBError(.connectionLimitReached)
    case .unknownPeer: CBError(.unknownDevice)
    case .operationCancelled: CBError(.operationCancelled)
    case .pairingFailed: CBError(.peerRemovedPairingInformation)
    case .encryptionTimedOut: CBError(.encryptionTimedOut)
    case .notSupported: CBError(.operationNotSupported)
    case .alreadyAdvertising: CBError(.alreadyAdvertising)
    case .invalidParameters: CBError(.invalidParameters)
    case .soundingConfigurationFailed: CBError(.channelSoundingConfigurationFailed)
    case .soundingProcedureFailed: CBError(.channelSoundingProcedureFailed)
    case .att(let error): CBATTError(CBATTError.Code(rawValue: Int(error.code)) ?? .unlikelyError)
    }
  }
}
