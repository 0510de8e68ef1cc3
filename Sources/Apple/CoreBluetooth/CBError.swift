import Foundation
import NearbyBluetooth

/// The domain of `CBError`.
public let CBErrorDomain = "CBErrorDomain"

/// Why something with a peer failed.
///
/// Source: `facts/corebluetooth.md`, section 6.
public struct CBError: CustomNSError, Hashable, Sendable {
  /// Apple's codes with Apple's numbers.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// Something else.
    case unknown = 0
    /// An argument is not one of those allowed.
    case invalidParameters = 1
    /// The attribute is no longer there.
    case invalidHandle = 2
    /// There is no connection.
    case notConnected = 3
    /// There is no room for more.
    case outOfSpace = 4
    /// Somebody stopped it.
    case operationCancelled = 5
    /// The other was not heard for too long.
    case connectionTimeout = 6
    /// The other ended the connection.
    case peripheralDisconnected = 7
    /// This UUID is the system's.
    case uuidNotAllowed = 8
    /// Advertising goes on already.
    case alreadyAdvertising = 9
    /// No connection came about.
    case connectionFailed = 10
    /// There are as many connections as can be.
    case connectionLimitReached = 11
    /// The device is not known.
    case unknownDevice = 12
    /// It cannot be done at all.
    case operationNotSupported = 13
    /// The other forgot that the two are paired.
    case peerRemovedPairingInformation = 14
    /// Encryption did not come about in time.
    case encryptionTimedOut = 15
    /// There are as many paired devices as can be.
    case tooManyLEPairedDevices = 16
    /// Of a watch in the background.
    case leGattExceededBackgroundNotificationLimit = 17
    /// Of a watch in the background.
    case leGattNearBackgroundNotificationLimit = 18

    /// The old spelling.
    public static var unkownDevice: Code { .unknownDevice }
  }

  /// What went wrong.
  public let code: Code
  private let info: [String: String]

  /// Makes an error of a code. Of `userInfo` only what is text is kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    info = Code.texts(of: userInfo)
  }

  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What `NSError` carries beside the code.
  public var errorUserInfo: [String: Any] { code.userInfo(with: info) }
  /// `CBErrorDomain`.
  public static var errorDomain: String { CBErrorDomain }
  /// What went wrong, in a sentence.
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
}

extension CBError.Code: ExplainedCode {
  /// Lets `case CBError.connectionTimeout` match any error.
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
    }
  }
}

/// The domain of `CBATTError`.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// Why a server did not follow a request.
///
/// Source: `facts/corebluetooth.md`, section 6.
public struct CBATTError: CustomNSError, Hashable, Sendable {
  /// The numbers of the Attribute Protocol. A server's own, from 128 on, are not among them.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// It did.
    case success = 0
    /// There is no such attribute.
    case invalidHandle = 1
    /// It is not to be read.
    case readNotPermitted = 2
    /// It is not to be written.
    case writeNotPermitted = 3
    /// The request makes no sense.
    case invalidPdu = 4
    /// The devices are not paired.
    case insufficientAuthentication = 5
    /// The server does not know the request.
    case requestNotSupported = 6
    /// The value ends before.
    case invalidOffset = 7
    /// The client may not.
    case insufficientAuthorization = 8
    /// Too many parts of writes wait.
    case prepareQueueFull = 9
    /// There is no attribute in the range.
    case attributeNotFound = 10
    /// The value is short.
    case attributeNotLong = 11
    /// The key is too short.
    case insufficientEncryptionKeySize = 12
    /// The value is too long or too short.
    case invalidAttributeValueLength = 13
    /// Something else.
    case unlikelyError = 14
    /// The link is not encrypted.
    case insufficientEncryption = 15
    /// Services are not grouped so.
    case unsupportedGroupType = 16
    /// There is no room for it.
    case insufficientResources = 17
  }

  /// What went wrong.
  public let code: Code
  private let info: [String: String]

  /// Makes an error of a code. Of `userInfo` only what is text is kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    info = Code.texts(of: userInfo)
  }

  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What `NSError` carries beside the code.
  public var errorUserInfo: [String: Any] { code.userInfo(with: info) }
  /// `CBATTErrorDomain`.
  public static var errorDomain: String { CBATTErrorDomain }
  /// What went wrong, in a sentence.
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
  /// Lets `case CBATTError.readNotPermitted` match any error.
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
  /// As the app sees it.
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
    case .att(let error): CBATTError(CBATTError.Code(rawValue: Int(error.code)) ?? .unlikelyError)
    }
  }
}
