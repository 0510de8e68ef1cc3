import Foundation
import NearbyKeyDerivation
import NearbyScenarios
import NearbySteppedWorld
import NearbyTextForms

/// What makes a plan, as it is sent to other machines.
package struct CampaignRecipe: Equatable, Sendable {
  /// The scenario file and its name.
  package let data: Data
  package let file: String
  /// For each key, its values.
  package let settings: [[ScenarioSetting]]
  package let seeds: SeedRanges
  package let version: String

  package init(
    data: Data, file: String, settings: [[ScenarioSetting]], seeds: SeedRanges, version: String
  ) {
    self.data = data
    self.file = file
    self.settings = settings
    self.seeds = seeds
    self.version = version
  }

  package func plan(programs: [ProgramEntry] = []) throws(CampaignPlan.Failure) -> CampaignPlan {
    try CampaignPlan(
      scenario: data, file: file, settings: settings, seeds: seeds, version: version, programs: programs)
  }

  /// Names the campaign: equal recipes have equal identifiers. 32 hexadecimal digits.
  package var id: String {
    String(SHA256Digest.hexadecimal(of: (header + SHA256Digest.hexadecimal(of: data)).utf8).prefix(32))
  }

  /// Everything but the scenario file, as one JSON object.
  package var header: String {
    var line = JSONLine()
    line.add("version", text: version)
    line.add("file", text: file)
    line.add("seeds", text: seeds.text)
    var object = JSONLine()
    for values in settings where !values.isEmpty {
      object.add(values[0].key, json: JSONArray.of(values.map(\.text)))
    }
    line.add("settings", json: object.closed())
    return line.closed()
  }

  /// Parses what `header` wrote; `nil` if it is damaged.
  package init?(header: [UInt8], data: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(header)) as? [String: Any],
      let version = object["version"] as? String, let file = object["file"] as? String,
      let seeds = (object["seeds"] as? String).flatMap({ try? SeedRanges(parsing: $0) }),
      let settings = object["settings"] as? [String: [String]]
    else { return nil }
    let values = settings.sorted { $0.key < $1.key }
      .map { key, texts in texts.map { ScenarioSetting(key: key, text: $0) } }
    self.init(data: data, file: file, settings: values, seeds: seeds, version: version)
  }
}

/// Jobs that one worker runs together, as a message names them.
package struct CampaignTicket: Equatable, Sendable {
  /// The campaign's `CampaignRecipe.id`.
  package let campaign: String
  /// Names the call that queued it, so that the server does not take the same campaign, run again, for duplicates.
  package let run: String
  /// Positions in its plan.
  package let jobs: [Int]

  /// The most jobs of one ticket.
  package static let mostJobs = 512
  /// The work in a ticket of short jobs, and the fewest tickets of a large campaign.
  private static let (worthwhile, fewest) = (Duration.milliseconds(300), 32)
  /// Tickets become smaller towards the end, so that all workers end at about the same time: a ticket has at most one
  /// `partOfRest`-th of the jobs that are left, but at least one `leastPart`-th of a usual ticket.
  private static let (leastPart, partOfRest) = (4, 8)

  package init(campaign: String, run: String, jobs: [Int]) {
    self.campaign = campaign
    self.run = run
    self.jobs = jobs
  }

  package var text: String {
    var line = JSONLine()
    line.add("campaign", text: campaign)
    line.add("run", text: run)
    line.add("jobs", json: "[\(jobs.map { "\($0)" }.joined(separator: ","))]")
    return line.closed()
  }

  /// Parses a message; `nil` if it is damaged.
  package init?(parsing octets: [UInt8]) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any],
      let campaign = object["campaign"] as? String, Self.isID(campaign),
      let run = object["run"] as? String, run.utf8.count <= 64,
      run.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let jobs = object["jobs"] as? [Int], !jobs.isEmpty, jobs.count <= Self.mostJobs,
      jobs.allSatisfy({ $0 >= 0 && $0 < CampaignPlan.mostJobs })
    else { return nil }
    self.init(campaign: campaign, run: run, jobs: jobs)
  }

  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Divides jobs into tickets.
  ///
  /// - Parameter time: What a job takes; the shorter, the more are together, so that a ticket is worth its way, and that
  ///   many workers have some. `nil` if unknown: then each is alone.
  package static func tickets(
    for jobs: [Int], of campaign: String, run: String, each time: Duration?
  ) -> [CampaignTicket] {
    let together = time.map { Int(worthwhile / max($0, .microseconds(1))) } ?? 1
    let usual = max(1, min(together, mostJobs, jobs.count / fewest))
    var tickets: [CampaignTicket] = []
    var rest = jobs[...]
    while !rest.isEmpty {
      let size = max(1, usual / leastPart, min(usual, rest.count / partOfRest))
      tickets.append(CampaignTicket(campaign: campaign, run: run, jobs: Array(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    return tickets
  }
}
