import NearbyReadings
import NearbySite

/// The readings of strangers on every topic of a site, one line each: topic, space, payload. The site counts each
/// message, and a tag's state goes through octets without a change.
func fuzzSiteReadings(_ octets: [UInt8]) {
  guard var engine = FuzzedSite.engine() else { return }
  var output = SiteEngine.Output()
  for (index, line) in octets.split(separator: 0x0A).enumerated() {
    let parts = line.split(separator: 0x20, maxSplits: 1)
    guard parts.count == 2 else { continue }
    let topic = "nearby/hall/" + String(decoding: parts[0], as: UTF8.self)
    engine.received(topic: topic, payload: Array(parts[1]), now: 100 + Double(index), &output)
  }
  guard var other = FuzzedSite.engine() else { return }
  let state = engine.state(of: 0)
  precondition(other.restore(0, from: state) && other.state(of: 0) == state, "a state changes on its way")
}

/// A checkpoint of a stranger is refused, or is a part's; then the site goes on with it.
func fuzzSiteCheckpoint(_ octets: [UInt8]) {
  guard let engine = FuzzedSite.engine() else { return }
  var site = SharedSite(engine, after: 10)
  let part = site.share.partOfTag[0]
  _ = SiteMembers.Beat(parsing: octets)
  guard var checkpoint = SiteCheckpoint(parsing: octets, states: site.share.tags[part].count) else { return }
  checkpoint.digest = site.share.digest
  _ = site.take(part, checkpoint, start: 0)
  var output = SiteEngine.Output()
  for number in 0..<20 {
    let payload = Array(#"{"t":\#(100 + number),"peer":"t","d":3.1}"#.utf8)
    site.received(
      UInt64(11 + number), time: 100 + Double(number),
      topic: "nearby/hall/\(["a", "b", "c", "d"][number % 4])/range",
      payload: payload, &output)
  }
  site.advance(now: 1000, &output)
}

/// A view of a stranger is refused, or shows tags of the plan only.
func fuzzSiteView(_ octets: [UInt8]) {
  guard let engine = FuzzedSite.engine() else { return }
  let digest = SiteShare(engine.plan).digest
  // A digest is hard to guess.
  let octets = withUnsafeBytes(of: digest.littleEndian) { Array($0) } + octets.dropFirst(8)
  var others = OtherTags(engine.plan, digest: digest, own: 0)
  _ = others.received(octets, at: .zero)
  let reports = others.reports(beside: [], at: .zero)
  precondition(reports.allSatisfy { $0.tag == 0 && $0.time.isFinite })
  precondition(others.occupants([[]], beside: [], at: .zero).joined().allSatisfy { $0 == 0 })
}

/// What a program says on the hub's WebSocket is answered with JSON, and never with more than 64 subscriptions.
func fuzzOmloxSubscriptions(_ octets: [UInt8]) {
  guard let plan = FuzzedSite.engine()?.plan else { return }
  var subscriptions = OmloxSubscriptions(OmloxText(plan))
  for line in octets.split(separator: 0x0A) {
    precondition(subscriptions.received(String(decoding: line, as: UTF8.self)).hasPrefix("{\"event\":"))
  }
  precondition(subscriptions.messages([], []).count <= OmloxSubscriptions.most)
}

private enum FuzzedSite {
  static func engine() -> SiteEngine? {
    guard let plan = try? SitePlan(parsing: text, file: "fuzz.json") else { return nil }
    return try? SiteEngine(plan, version: "fuzz", seed: 1)
  }

  private static let text = """
    { site: "hall",
      rooms: [ { id: "r", outline: [[0, 0], [10, 0], [10, 8], [0, 8]] } ],
      receivers: [
        { id: "a", at: [0, 0, 2] }, { id: "b", at: [10, 0, 2] }, { id: "c", at: [10, 8, 2] }, { id: "d", at: [0, 8, 1] } ],
      fences: [ { id: "f", at: [5, 4], radius: 2 } ], tags: [ { id: "t" } ] }
    """
}
