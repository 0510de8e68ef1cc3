/// Measures how fast a scene changes, from the differences in loudness between packets.
///
/// Waves that arrive along several paths make loudness change over half a wavelength, 6 cm. A moving receiver
/// hears each packet with a new fade; a resting one hears the same fade again and again, whatever the
/// distance. The rate says how much new information a second of listening contains. Source:
/// `Docs/beacons.md`, section 2.
struct FadeClock: Hashable, Sendable {
  /// Smoothed share of the fading that changes from one packet to the next; below 0 if packets differ by less
  /// than the jitter.
  private var share = 0.3
  /// Mean time between packets in seconds.
  private var gap = 1.0
  private var packets = 0
  private var lastLoss = 0.0

  /// Differences in loudness without any fading, and those that fading adds, dB. Source: `Docs/beacons.md`,
  /// equation 2, as for the bounds of a single packet's share and for the memory.
  private static let (jitter, fading) = (3.0, 5.0)
  /// Number of packets it averages over.
  private static let memory = 30.0
  /// Even the stillest room changes at some time.
  private static let leastShare = 0.01
  /// Largest rate, fades per second: beyond it, several fades share the same shadowing.
  private static let highestRate = 3.0
  /// Longest gap that counts, seconds, because silence does not mean rest.
  private static let longestGap = 60.0

  /// Adds a packet's path loss, `seconds` after the previous one.
  mutating func add(_ loss: Double, after seconds: Double) {
    defer {
      lastLoss = loss
      packets = min(packets + 1, 1000)
    }
    guard packets > 0 else { return }
    let jump = loss - lastLoss
    let anew = (jump * jump / 2 - Self.jitter * Self.jitter) / (Self.fading * Self.fading)
    share += (min(max(anew, -0.5), 1.5) - share) / min(Double(packets + 5), Self.memory)
    gap += (min(seconds, Self.longestGap) - gap) / min(Double(packets), Self.memory)
  }

  /// In fades per second.
  var rate: Double { min(min(max(share, Self.leastShare), 1) / max(gap, 0.05), Self.highestRate) }
}
