import CNearbyNATS
import Glibc
import NearbySchedule

/// A connection to a NATS server with JetStream, by the client of the NATS project.
///
/// The client reconnects by itself, forever, with a random part in each pause; calls fail meanwhile. Any thread may call,
/// and a call blocks until the server answered or 5 s have passed.
///
/// `@unchecked Sendable`: the client's connection and JetStream context lock themselves, and both live as long as this.
package final class NATSConnection: @unchecked Sendable {
  /// Where and as whom to connect.
  package struct Options: Equatable, Sendable {
    /// `nats://host:port` or `tls://host:port`, several with commas between them, with a user where needed.
    package var url: String
    /// Shown by the server's monitoring.
    package var name: String
    /// A file of credentials, and one of certificates that are trusted.
    package var credentials: String?
    package var certificates: String?
    /// How long a call waits for the server's answer.
    package var patience = Duration.seconds(5)

    package init(url: String, name: String, credentials: String? = nil, certificates: String? = nil) {
      self.url = url
      self.name = name
      self.credentials = credentials
      self.certificates = certificates
    }

    /// The URL without its password, for messages.
    package var printableURL: String {
      url.split(separator: ",").map { part in
        guard let at = part.lastIndex(of: "@") else { return String(part) }
        let scheme = part.firstRange(of: "://").map { String(part[..<$0.upperBound]) } ?? ""
        return scheme + part[part.index(after: at)...]
      }.joined(separator: ",")
    }
  }

  private static let answerMilliseconds: Int64 = 5000
  private static let reconnectMilliseconds: Int64 = 200
  private static let reconnectJitterMilliseconds: Int64 = 400

  let handle: OpaquePointer
  let stream: OpaquePointer

  /// Connects.
  ///
  /// - Throws: A failure at once if no server answers; only later failures are mended by reconnecting.
  package init(_ options: Options) throws(NATSFailure) {
    let settings = try Self.makeSettings(options)
    defer { natsOptions_Destroy(settings) }
    var connection: OpaquePointer?
    try Self.check(natsConnection_Connect(&connection, settings), "connect to \(options.printableURL)")
    guard let connection else { throw NATSFailure("connect", NATS_ERR) }
    var context: OpaquePointer?
    var settingsOfStreams = jsOptions()
    jsOptions_Init(&settingsOfStreams)
    settingsOfStreams.Wait = options.patience.inMillisecondsRoundedUp
    let status = natsConnection_JetStream(&context, connection, &settingsOfStreams)
    guard status == NATS_OK, let context else {
      natsConnection_Destroy(connection)
      throw NATSFailure("use JetStream", status)
    }
    handle = connection
    stream = context
  }

  deinit {
    jsCtx_Destroy(stream)
    natsConnection_Destroy(handle)
  }

  /// The client's settings, which the caller destroys.
  static func makeSettings(_ options: Options) throws(NATSFailure) -> OpaquePointer? {
    var settings: OpaquePointer?
    try check(natsOptions_Create(&settings), "connect")
    do throws(NATSFailure) {
      try fill(settings, options)
      return settings
    } catch {
      natsOptions_Destroy(settings)
      throw error
    }
  }

  private static func fill(_ settings: OpaquePointer?, _ options: Options) throws(NATSFailure) {
    try set(settings, servers: options.url)
    try check(natsOptions_SetName(settings, options.name), "connect")
    try check(natsOptions_SetTimeout(settings, answerMilliseconds), "connect")
    try check(natsOptions_SetMaxReconnect(settings, -1), "connect")
    try check(natsOptions_SetReconnectWait(settings, reconnectMilliseconds), "connect")
    let jitter = reconnectJitterMilliseconds
    try check(natsOptions_SetReconnectJitter(settings, jitter, jitter), "connect")
    if let file = options.credentials {
      try check(natsOptions_SetUserCredentialsFromFiles(settings, file, nil), "read \(file)")
    }
    if let file = options.certificates {
      try check(natsOptions_LoadCATrustedCertificates(settings, file), "read \(file)")
    }
  }

  private static func set(_ settings: OpaquePointer?, servers: String) throws(NATSFailure) {
    if servers.split(separator: ",").contains(where: { $0.hasPrefix("tls://") }) {
      try check(natsOptions_SetSecure(settings, true), "connect")
    }
    let texts = servers.split(separator: ",").map { strdup(String($0)) }
    defer { for text in texts { free(text) } }
    var pointers = texts.map { UnsafePointer<CChar>($0) }
    let status = pointers.withUnsafeMutableBufferPointer {
      natsOptions_SetServers(settings, $0.baseAddress, Int32(clamping: $0.count))
    }
    try check(status, "connect to that URL")
  }

  static func check(
    _ status: natsStatus, _ call: String, _ code: jsErrCode = jsErrCode(0)
  ) throws(NATSFailure) {
    guard status == NATS_OK else { throw NATSFailure(call, status, code) }
  }

  package var isConnected: Bool { natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED }

  /// How often the connection was lost and made again.
  package var reconnects: UInt64 {
    var statistics: OpaquePointer?
    guard natsStatistics_Create(&statistics) == NATS_OK, let statistics else { return 0 }
    defer { natsStatistics_Destroy(statistics) }
    var count: UInt64 = 0
    natsConnection_GetStats(handle, statistics)
    natsStatistics_GetCounts(statistics, nil, nil, nil, nil, &count)
    return count
  }

  /// Sends a message to whoever subscribes now.
  package func tell(_ octets: [UInt8], to subject: String) throws(NATSFailure) {
    try Self.check(
      natsConnection_Publish(handle, subject, octets, Int32(clamping: octets.count)), "publish")
  }

  /// Octets that one message may have.
  package var largestMessage: Int { Int(natsConnection_GetMaxPayload(handle)) }
}
