import NearbyTextForms

/// A site's figures as Prometheus reads them.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
package struct PrometheusText: Sendable {
  package static let type = "text/plain; version=0.0.4; charset=utf-8"
  private var text = ""

  /// The figures of a site.
  package static func of(_ fusion: SiteFusion) -> String {
    var writer = PrometheusText()
    let counts = fusion.counts
    writer.heading("nearby_readings_used_total", "counter", "Readings that were used.")
    writer.add("nearby_readings_used_total", [], Double(counts.used), decimals: 0)
    writer.heading("nearby_readings_dropped_total", "counter", "Readings that were dropped, by reason.")
    for reason in SiteRejection.allCases {
      writer.add(
        "nearby_readings_dropped_total", [("reason", reason.rawValue)],
        Double(counts.rejected(for: reason)), decimals: 0)
    }
    writer.heading("nearby_tags_present", "gauge", "Tags that are heard.")
    writer.add("nearby_tags_present", [], Double(fusion.presentCount), decimals: 0)
    writer.addTags(fusion)
    return writer.text
  }

  private mutating func addTags(_ fusion: SiteFusion) {
    let plan = fusion.plan
    let reports = plan.tags.indices.map { fusion.report(of: $0) }
    heading("nearby_tag_present", "gauge", "Whether a tag is heard.")
    for (tag, report) in reports.enumerated() {
      add("nearby_tag_present", [("tag", plan.tags[tag].id)], report == nil ? 0 : 1, decimals: 0)
    }
    heading("nearby_tag_position_metres", "gauge", "Position of a tag in the site's frame.")
    for report in reports.compactMap({ $0 }) {
      guard let position = report.position else { continue }
      for (axis, value) in [
        ("x", position.position.x), ("y", position.position.y), ("z", position.position.z),
      ] {
        add(
          "nearby_tag_position_metres", [("tag", plan.tags[report.tag].id), ("axis", axis)], value,
          decimals: 3)
      }
    }
    heading("nearby_tag_accuracy_metres", "gauge", "Radius that contains 68 % of the error in the plan.")
    for report in reports.compactMap({ $0 }) {
      guard let position = report.position else { continue }
      add(
        "nearby_tag_accuracy_metres", [("tag", plan.tags[report.tag].id)], position.accuracy, decimals: 3)
    }
    heading("nearby_room_tags", "gauge", "Tags in a room.")
    for (index, room) in plan.rooms.enumerated() {
      let count = reports.count { $0?.room == index }
      add("nearby_room_tags", [("room", room.id)], Double(count), decimals: 0)
    }
  }

  private mutating func heading(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func add(
    _ name: String, _ labels: [(name: String, value: String)], _ value: Double, decimals: Int
  ) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
    }
    text += " \(NumberFormat.fixed(value, decimals))\n"
  }

  private static func escaped(_ value: String) -> String {
    var out = ""
    for scalar in PrintableText.line(value).unicodeScalars {
      switch scalar {
      case "\\": out += "\\\\"
      case "\"": out += "\\\""
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}

extension PrometheusText {
  /// One counter without labels.
  package static func counter(_ name: String, _ help: String, _ value: Int) -> String {
    figure(name, help, "counter", value)
  }

  package static func gauge(_ name: String, _ help: String, _ value: Int) -> String {
    figure(name, help, "gauge", value)
  }

  private static func figure(_ name: String, _ help: String, _ type: String, _ value: Int) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
  }
}
