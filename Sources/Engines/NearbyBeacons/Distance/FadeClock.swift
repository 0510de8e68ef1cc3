/// Tells how fast a scene changes, by how much loudness jumps from packet to packet.
///
/// Waves that arrive by several ways fade on a path of half a wavelength, 6 cm. Who moves hears each packet
/// fade anew; who stands hears the same again, whatever the distance. Between them lies how much a second of
/// listening says. Docs/beacons.md, "The fade clock".
struct FadeClock: Hashable, Sendable {
  /// Share of its fading that loudness takes anew from one packet to the next, smoothed; below 0 where even
  /// the jitter is missing.
  private var share = 0.3
  /// Mean time between packets, seconds.
  private var gap = 1.0
  private var packets = 0
  private var lastLoss = 0.0

  /// How much two packets' loudness differs without any fading, dB, and how much fading adds: equation 2 of
  /// Docs/beacons.md, as are the bounds of a single packet's share and the length of the memory.
  private static let (jitter, fading) = (3.0, 5.0)
  /// Packets over which it looks back.
  private static let memory = 30.0
  /// Even the stillest room changes some time.
  private static let leastShare = 0.01
  /// Fades a second that each count for one; of more, several are shadowed by the same things.
  private static let highestRate = 3.0
  /// Silence is no sign of rest, seconds.
  private static let longestGap = 60.0

  /// Takes a packet's path loss, `seconds` after the one before.
  mutating func take(_ loss: Double, after seconds: Double) {
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

  /// Fades a second.
  var rate: Double { min(min(max(share, Self.leastShare), 1) / max(gap, 0.05), Self.highestRate) }
}
