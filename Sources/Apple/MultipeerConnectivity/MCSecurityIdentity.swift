import NearbyDevice

/// Ours, where Apple has a `SecIdentity`: a private key with its certificate and those that vouch for it.
///
/// Goes first into the array of `MCSession.init(peer:securityIdentity:encryptionPreference:)`; further certificates
/// may stand behind it as `Data` in DER.
/// ```swift
/// let identity = try MCSecurityIdentity(pem: Data(contentsOf: URL(fileURLWithPath: "host.pem")))
/// let session = MCSession(peer: me, securityIdentity: [identity], encryptionPreference: .required)
/// ```
public final class MCSecurityIdentity: NSObject, Sendable {
  let credentials: SessionCredentials

  /// Reads a private key and certificates, in any order; the key's own certificate first among them.
  ///
  /// - Parameters:
  ///   - pem: Text in PEM.
  ///   - password: Of an encrypted key.
  /// - Throws: `MCError.invalidParameter`; `NSDebugDescriptionErrorKey` says what is wrong.
  public convenience init(pem: Data, password: String? = nil) throws {
    try self.init { () throws(SessionCredentials.Unreadable) in
      try SessionCredentials(pem: [UInt8](pem), password: password)
    }
  }

  /// Reads a PKCS#12 container (`.p12`, `.pfx`) with a key, its certificate and those that vouch for it.
  ///
  /// - Throws: `MCError.invalidParameter`; `NSDebugDescriptionErrorKey` says what is wrong.
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

  /// The certificates in DER, the key's own first: what the peer's `didReceiveCertificate` is given.
  public var certificates: [Data] { credentials.chain.map { Data($0) } }

  /// Whether key and certificates are the same.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? MCSecurityIdentity)?.credentials == credentials
  }

  /// Equal for equal identities.
  public override var hash: Int { credentials.hashValue }

  /// Without the key.
  public override var description: String { "MCSecurityIdentity(\(credentials.chain.count) certificates)" }

  /// What an app gave a session, read; `nil` for none. Anything but an identity with certificates behind it stops
  /// the process: who thinks that a session has its identity must not find out later that it never had.
  static func credentials(of array: [Any]?) -> SessionCredentials? {
    guard let array, let first = array.first else { return nil }
    guard let identity = first as? MCSecurityIdentity else {
      preconditionFailure(
        "a security identity begins with an MCSecurityIdentity, not with \(type(of: first))")
    }
    let further = array.dropFirst().map { $0 as? Data }
    guard let credentials = try? identity.credentials.adding(further.map { $0.map { [UInt8]($0) } ?? [] })
    else { preconditionFailure("behind an MCSecurityIdentity stand certificates, as Data in DER") }
    return credentials
  }
}
