import Foundation
import NearbyCampaigns
import NearbyNATS

/// The queue of campaigns on a NATS server: tickets that workers take, their results, and the recipes of campaigns.
///
/// - `nearby.campaign.ticket.ID` in the stream NEARBY_CAMPAIGN_TICKETS, a work queue. A ticket whose worker vanished is
///   delivered to another one.
/// - `nearby.campaign.result.ID` in the stream NEARBY_CAMPAIGN_RESULTS: lines of results. The server drops a message
///   that came twice within two minutes, and whoever collects them drops every result whose job it has.
/// - The bucket nearby-campaign: for each ID its recipe and the parts of its scenario file.
///
/// All of it is removed after a week at the latest.
package struct CampaignQueue: Sendable {
  static let tickets = "NEARBY_CAMPAIGN_TICKETS"
  static let results = "NEARBY_CAMPAIGN_RESULTS"
  static let workers = "workers"
  private static let age = Duration.seconds(7 * 86_400)
  /// Octets of one value; messages of servers with usual settings have at most 1 MiB.
  private static let partSize = 512 << 10

  let connection: NATSConnection
  private let bucket: KeyValueBucket

  /// Opens the queue and makes what is missing of it.
  package init(_ connection: NATSConnection) throws(NATSFailure) {
    self.connection = connection
    try connection.makeStream(
      Self.tickets, subjects: ["nearby.campaign.ticket.*"], .workQueue, age: Self.age)
    try connection.makeStream(Self.results, subjects: ["nearby.campaign.result.*"], .limits, age: Self.age)
    bucket = try KeyValueBucket(connection, "nearby-campaign", age: Self.age)
  }

  static func ticketSubject(_ id: String) -> String { "nearby.campaign.ticket.\(id)" }
  static func resultSubject(_ id: String) -> String { "nearby.campaign.result.\(id)" }
  static func collector(_ id: String) -> String { "collect-\(id)" }

  /// Whether the queue holds a ticket of a campaign, taken or not.
  func isTicketWaiting(_ id: String) throws(NATSFailure) -> Bool {
    try connection.hasMessage(with: Self.ticketSubject(id), in: Self.tickets)
  }

  // MARK: Recipes

  /// Stores a recipe; its header comes last, so that a recipe with a header is complete.
  func store(_ recipe: CampaignRecipe) throws(NATSFailure) {
    let octets = [UInt8](recipe.data)
    for (index, start) in stride(from: 0, to: octets.count, by: Self.partSize).enumerated() {
      let part = Array(octets[start..<min(start + Self.partSize, octets.count)])
      try bucket.set("\(recipe.id).\(index)", to: part)
    }
    try bucket.set(recipe.id, to: Array(recipe.header.utf8))
  }

  /// - Returns: `nil` if the campaign is over, or its recipe is damaged.
  func recipe(of id: String) throws(NATSFailure) -> CampaignRecipe? {
    guard let header = try bucket.value(of: id) else { return nil }
    var data = Data()
    var index = 0
    while let part = try bucket.value(of: "\(id).\(index)"), data.count <= 64 << 20 {
      data.append(contentsOf: part)
      index += 1
      if part.count < Self.partSize { break }
    }
    guard let recipe = CampaignRecipe(header: header, data: data), recipe.id == id else { return nil }
    return recipe
  }

  /// Removes what is left of a campaign.
  func remove(_ recipe: CampaignRecipe) throws(NATSFailure) {
    try bucket.remove(recipe.id)
    for index in 0...(recipe.data.count / Self.partSize) { try bucket.remove("\(recipe.id).\(index)") }
    try connection.purge(Self.ticketSubject(recipe.id), of: Self.tickets)
    try connection.removeConsumer(Self.collector(recipe.id), of: Self.results)
    try connection.purge(Self.resultSubject(recipe.id), of: Self.results)
  }
}
