/// A peer's name for people. It identifies nobody; equal names are legal.
package struct DisplayName: Hashable, Sendable {
  /// The limit of Apple's `MCPeerID.init(displayName:)`, in octets of UTF-8.
  package static let maximumOctets = 63

  package let text: String

  /// - Parameter text: 1 to 63 octets of UTF-8.
  package init(_ text: String) throws(PeerLinkError) {
    guard !text.isEmpty else { throw .name(.displayName, at: 0, .empty) }
    let count = text.utf8.count
    guard count <= Self.maximumOctets else {
      throw .name(.displayName, at: Self.maximumOctets, .tooLong(count: count, maximum: Self.maximumOctets))
    }
    self.text = text
  }

  /// For text that a parser has already checked.
  init(checked text: String) { self.text = text }
}
