import NearbyDevice
import NearbyPeerLink

/// The domain of `MCError`. Apple does not publish the string, so apps should compare the symbol.
public let MCErrorDomain = "MCErrorDomain"

/// Why a request failed.
///
/// Source: Apple's documentation of `MCError`.
public struct MCError: CustomNSError, Hashable, Sendable {
  /// Apple's error codes, with Apple's numbers.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// An error that none of the other codes describes.
    case unknown = 0
    /// A peer is not connected to the session.
    case notConnected = 1
    /// An argument is invalid.
    case invalidParameter = 2
    /// The operation is not supported.
    case unsupported = 3
    /// The attempt timed out.
    case timedOut = 4
    /// The operation was cancelled.
    case cancelled = 5
    /// No network is available, or it currently accepts nothing more.
    case unavailable = 6
  }

  /// What went wrong.
  public let code: Code
  private let info: [String: String]

  /// Creates an error with the given code. Only string values of `userInfo` are kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    info = Code.texts(of: userInfo)
  }

  /// The code's raw value.
  public var errorCode: Int { code.rawValue }
  /// The localized description and the strings passed to `init`, as `NSError.userInfo`.
  public var errorUserInfo: [String: Any] { code.userInfo(with: info) }
  /// `MCErrorDomain`.
  public static var errorDomain: String { MCErrorDomain }
  /// What went wrong, in a sentence.
  public var localizedDescription: String { code.description(with: info) }

  /// `Code.unknown`.
  public static var unknown: Code { .unknown }
  /// `Code.notConnected`.
  public static var notConnected: Code { .notConnected }
  /// `Code.invalidParameter`.
  public static var invalidParameter: Code { .invalidParameter }
  /// `Code.unsupported`.
  public static var unsupported: Code { .unsupported }
  /// `Code.timedOut`.
  public static var timedOut: Code { .timedOut }
  /// `Code.cancelled`.
  public static var cancelled: Code { .cancelled }
  /// `Code.unavailable`.
  public static var unavailable: Code { .unavailable }
}

extension MCError.Code: ExplainedCode {
  /// Lets `case MCError.notConnected` match any `Error`.
  public static func ~= (code: MCError.Code, error: any Error) -> Bool {
    (error as? MCError)?.code == code
  }

  package var explanation: String {
    switch self {
    case .unknown: "Something went wrong."
    case .notConnected: "A peer is not connected to the session."
    case .invalidParameter: "An argument is not valid."
    case .unsupported: "This cannot be done."
    case .timedOut: "It took too long."
    case .cancelled: "It was cancelled."
    case .unavailable: "The peer network cannot be used now."
    }
  }
}

extension MCError {
  init(failure: PeerFailure) {
    switch failure {
    case .unavailable: self.init(.unavailable)
    case .refused(let error): self.init(link: error)
    }
  }

  private init(link error: PeerLinkError) {
    let code: Code
    switch error {
    case .octets, .name: code = .invalidParameter
    case .unexpectedFrame, .crowded: code = .unknown
    case .request(let problem):
      switch problem {
      case .notConnected: code = .notConnected
      case .noPeers, .ownIdentity, .tooLarge, .wrongPeer: code = .invalidParameter
      case .backlogged, .sessionFull, .tooManyTransfers, .unknownSession: code = .unavailable
      case .unknownTransfer, .transferEnded: code = .cancelled
      }
    }
    self.init(code, userInfo: [NSDebugDescriptionErrorKey: "\(error)"])
  }

  /// Creates the error for a transfer that ended before it was complete.
  init(reason: PeerReason) {
    switch reason {
    case .cancelled: self.init(.cancelled)
    case .timedOut: self.init(.timedOut)
    case .lost, .left: self.init(.notConnected)
    case .declined, .busy, .notAdvertising, .sessionFull, .encryption, .certificate, .unknownSession,
      .unknownConnection, .duplicate, .replaced, .violation, .wrongIdentity:
      self.init(.unknown)
    }
  }
}
