import NearbyTextForms

/// Messages to a page that do not come from the world itself.
enum PageText {
  static func error(_ message: String) -> String {
    var line = JSONLine()
    line.add("type", text: "error")
    line.add("message", text: message)
    return line.closed()
  }

  /// Returns `nil` if there are no entries.
  static func events(_ entries: [WorldJournal.Entry]) -> String? {
    if entries.isEmpty { return nil }
    var list = JSONArray()
    for entry in entries { list.add(json: WorldEventText.line(entry)) }
    var line = JSONLine()
    line.add("type", text: "events")
    line.add("events", json: list.closed())
    return line.closed()
  }

  static func packets(_ lines: [String], of device: Int) -> String {
    var list = JSONArray()
    for packet in lines { list.add(json: packet) }
    var line = JSONLine()
    line.add("type", text: "uci")
    line.add("device", device)
    line.add("packets", json: list.closed())
    return line.closed()
  }
}
