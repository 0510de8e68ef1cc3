/// Octets queued for one browser.
struct WebOutput: Sendable {
  private var pieces: [[UInt8]] = []
  /// Number of octets of the first piece that have been written.
  private var written = 0

  var isEmpty: Bool { pieces.isEmpty }

  mutating func append(_ octets: [UInt8]) {
    if !octets.isEmpty { pieces.append(octets) }
  }

  mutating func removeAll() { self = WebOutput() }

  /// Offers the first octets to `body`, which returns how many of them it wrote, or a negative number on
  /// failure.
  mutating func write(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    guard let piece = pieces.first else { return 0 }
    let count = piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[written...])) }
    if count > 0 { written += count }
    if written == piece.count {
      pieces.removeFirst()
      written = 0
    }
    return count
  }
}
