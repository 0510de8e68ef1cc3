import NearbyTextForms

/// The library's messages to the user, on standard error.
package enum Notice {
  /// Writes one line of at most 4096 characters; control characters in it are made printable.
  package static func write(_ text: String) {
    StandardStream.writeError(line: "swift-nearby: \(PrintableText.name(text, limit: 4096))")
  }
}
