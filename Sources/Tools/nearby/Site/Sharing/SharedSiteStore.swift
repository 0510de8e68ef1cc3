import NearbyCommandLine
import NearbyNATS
import NearbySchedule
import NearbySite

/// Where a shared site's readings, states and events are on a NATS server.
///
/// | what | where |
/// |---|---|
/// | readings | stream `NEARBY_SITE_NAME`, subjects `nearby.NAME.DEVICE.KIND` |
/// | states | bucket `nearby-site-NAME`, keys `part-N` |
/// | events | stream `NEARBY_EVENTS_NAME`, subjects `nearby.NAME.TAG.event` |
/// | beats | subject `nearby.NAME.process` |
///
/// Used by one thread.
final class SharedSiteStore {
  /// How long readings and events are kept, and how many octets of readings.
  private static let (age, eventAge) = (Duration.seconds(3600), Duration.seconds(7 * 86_400))
  private static let octets: Int64 = 1 << 30
  private static let patience = Duration.seconds(1)

  let stream: String
  let connection: NATSConnection
  private let replicas: Int
  private let bucket: KeyValueBucket
  /// The revision of each part that this process wrote or read last, and what it tried to write last.
  private var revisions: [Int: UInt64] = [:]
  private var sent: [Int: [UInt8]] = [:]

  /// Connects, and makes what does not exist.
  init(_ plan: SitePlan, _ sharing: SiteSharing) throws(NATSFailure) {
    var options = NATSConnection.Options(
      url: sharing.url, name: "nearby site \(plan.name)", credentials: sharing.credentials,
      certificates: sharing.authorities)
    options.patience = Self.patience
    connection = try NATSConnection(options)
    replicas = sharing.replicas
    stream = "NEARBY_SITE_\(plan.name)"
    try connection.makeStream(
      stream, subjects: Self.readingSubjects(plan), .limits, age: Self.age, octets: Self.octets,
      replicas: sharing.replicas)
    try connection.makeStream(
      "NEARBY_EVENTS_\(plan.name)", subjects: ["nearby.\(plan.name).*.event"], .limits, age: Self.eventAge,
      octets: Self.octets, replicas: sharing.replicas)
    bucket = try KeyValueBucket(
      connection, "nearby-site-\(plan.name)", age: Self.eventAge, replicas: sharing.replicas)
  }

  /// The subjects of readings.
  static func readingSubjects(_ plan: SitePlan) -> [String] {
    ["range", "difference", "advertisement"].map { "nearby.\(plan.name).*.\($0)" }
      + (plan.publishers.espresenseInput.map { ["\(NATSTopics.subject($0)).devices.*.*"] } ?? [])
  }

  /// The first and last sequences of the readings.
  func extent() throws(NATSFailure) -> (first: UInt64, last: UInt64) { try connection.extent(of: stream) }

  func reader(from position: UInt64) -> StreamReader {
    StreamReader(connection, stream: stream, from: position, replicas: replicas)
  }

  /// The newest checkpoint of a part.
  ///
  /// - Returns: `nil` if there is none, or none that can be read.
  func checkpoint(_ part: Int, states: Int) throws(NATSFailure) -> SiteCheckpoint? {
    forget(part)
    guard let entry = try bucket.entry(of: "part-\(part)") else { return nil }
    revisions[part] = entry.revision
    return SiteCheckpoint(parsing: entry.octets, states: states)
  }

  /// Keeps a checkpoint.
  ///
  /// - Returns: Whether it is kept; otherwise another process has the part.
  func keep(_ checkpoint: SiteCheckpoint, of part: Int) throws(NATSFailure) -> Bool {
    let octets = checkpoint.octets
    defer { sent[part] = octets }
    if let revision = try bucket.replace("part-\(part)", by: octets, revision: revisions[part]) {
      revisions[part] = revision
      return true
    }
    // Perhaps the call before was carried out, though its answer was lost.
    guard let entry = try bucket.entry(of: "part-\(part)"), entry.octets == sent[part],
      let revision = try bucket.replace("part-\(part)", by: octets, revision: entry.revision)
    else { return false }
    revisions[part] = revision
    return true
  }

  func forget(_ part: Int) {
    revisions[part] = nil
    sent[part] = nil
  }
}

/// Topics of MQTT as subjects of NATS, as the server's own MQTT listener translates them.
enum NATSTopics {
  static func subject(_ topic: String) -> String {
    topic.split(separator: "/", omittingEmptySubsequences: false).joined(separator: ".")
  }

  static func topic(_ subject: String) -> String {
    subject.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "/")
  }

  /// Whether an id can be a part of a subject.
  static func isPart(_ id: String) -> Bool {
    !id.isEmpty && !id.contains { $0.isWhitespace || ".*>/".contains($0) }
  }
}
