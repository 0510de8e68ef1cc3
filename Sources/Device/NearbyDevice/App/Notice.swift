import NearbyTextForms

/// What the library tells a person, on standard error.
package enum Notice {
  /// Writes one line, at most 4096 characters of it; what a stranger wrote in it is made printable.
  package static func write(_ text: String) {
    StandardStream.writeError(line: "swift-nearby: \(PrintableText.name(text, limit: 4096))")
  }
}
