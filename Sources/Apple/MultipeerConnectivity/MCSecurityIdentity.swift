import NearbyDevice

/// A private key with its certificate chain, in place of Apple's `SecIdentity`.
///
/// It is the first element of the array passed to
/// `MCSession.init(peer:securityIdentity:encryptionPreference:)`; further certificates may follow it as
/// `Data` in DER.
/// ```swift
/// let identity = try MCSecurityIdentity(pem: Data(contentsOf: URL(fileURLWithPath: "host.pem")))
/// let session = MCSession(peer: me, securityIdentity: [identity], encryptionPreference: .required)
/// ```
public final class MCSecurityIdentity: NSObject, Sendable {
  let credentials: SessionCredentials

  /// Reads a private key and certificates, in any order, with the key's own certificate before the others.
  ///
  /// - Parameters:
  ///   - pem: PEM text.
  ///   - password: The password of an encrypted key.
  /// - Throws: `MCError.invalidParameter`, with the reason under `NSDebugDescriptionErrorKey`.
  public convenience init(pem: Data, password: String? = nil) throws {
    try self.init { () throws(SessionCredentials.Unreadable) in
      try SessionCredentials(pem: [UInt8](pem), password: password)
    }
  }

  /// Reads a PKCS#12 container (`.p12`, `.pfx`) with a key, its certificate and its chain.
  ///
  /// - Throws: `MCError.invalidParameter`, with the reason under `NSDebugDescriptionErrorKey`.
  public convenience init(pkcs12: Data, password: String) throws {
    try self.init { () throws(SessionCredentials.Unreadable) in
      try SessionCredentials(pkcs12: [UInt8](pkcs12), password: password)
    }
  }

  private init(_ read: () throws(SessionCredentials.Unreadable) -> SessionCredentials) throws {
    do throws(SessionCredentials.Unreadable) {
      credentials = try read()
    } catch {
      throw MCError(.invalidParameter, userInfo: [NSDebugDescriptionErrorKey: error.reason])
    }
    super.init()
  }

  /// The certificates in DER, the key's own first, as the peer's `didReceiveCertificate` receives them.
  public var certificates: [Data] { credentials.chain.map { Data($0) } }

  /// Whether keys and certificates are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? MCSecurityIdentity)?.credentials == credentials
  }

  /// Equal for equal identities.
  public override var hash: Int { credentials.hashValue }

  /// The number of certificates; the key is not shown.
  public override var description: String { "MCSecurityIdentity(\(credentials.chain.count) certificates)" }

  /// Parses the array that an app passed to a session; `nil` if it passed none or an empty one.
  ///
  /// Anything but an identity followed by certificates stops the process, because an app that relies on its
  /// identity must not find out later that the session never used it.
  static func credentials(of array: [Any]?) -> SessionCredentials? {
    guard let array, let first = array.first else { return nil }
    guard let identity = first as? MCSecurityIdentity else {
      preconditionFailure(
        "a security identity must begin with an MCSecurityIdentity, not with \(type(of: first))")
    }
    let further = array.dropFirst().map { $0 as? Data }
    guard let credentials = try? identity.credentials.adding(further.map { $0.map { [UInt8]($0) } ?? [] })
    else {
      preconditionFailure("an MCSecurityIdentity must be followed by certificates, as Data in DER form")
    }
    return credentials
  }
}
