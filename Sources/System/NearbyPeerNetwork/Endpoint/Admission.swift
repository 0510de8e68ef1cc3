/// Decides which connections may stay that have not proved anything yet.
///
/// It is a machine that knows no sockets. Silent connections cost next to nothing, so all are admitted and
/// the oldest make room for new ones. Handshakes cost work, so each address is allowed only so many per
/// second.
struct Admission: Sendable {
  struct Limits: Sendable {
    /// Simultaneous connections whose handshake is not finished.
    var pending = 128
    /// Handshakes that an address may start in quick succession, and how many more each second.
    var burst = 100.0
    var perSecond = 25.0
    /// Addresses whose handshakes are counted.
    var addresses = 1024
    /// Open channels above which no new handshake may start.
    var channels = 512
  }

  private struct Pending {
    var id: UInt64
    var address: [UInt8]
    var hasSpoken: Bool
  }
  private struct Bucket {
    var tokens: Double
    var since: Duration
  }

  private let limits: Limits
  /// In order of arrival.
  private var pending: [Pending] = []
  private var buckets: [[UInt8]: Bucket] = [:]
  /// Connections whose handshake is finished. Counted by identity, because an evicted connection ends too, but
  /// is neither pending nor open by then.
  private var open: Set<UInt64> = []

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Adds a new connection.
  ///
  /// - Returns: A connection to drop for it, if any: of the address with the most connections, the oldest
  ///   silent one, or else the oldest.
  mutating func arrived(_ id: UInt64, from address: [UInt8]) -> UInt64? {
    var victim: UInt64?
    if pending.count >= limits.pending { victim = removeVictim() }
    pending.append(Pending(id: id, address: address, hasSpoken: false))
    return victim
  }

  /// Notes that a connection's first octet has arrived, and returns whether its handshake may start.
  mutating func spoke(_ id: UInt64, at now: Duration) -> Bool {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
    pending[index].hasSpoken = true
    guard openCount < limits.channels else { return false }
    return takeToken(of: pending[index].address, at: now)
  }

  /// Notes that a connection's handshake is finished.
  mutating func opened(_ id: UInt64) {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
    pending.remove(at: index)
    open.insert(id)
  }

  /// Notes that a connection has ended. Has no effect for one that was dropped to make room.
  mutating func ended(_ id: UInt64) {
    pending.removeAll { $0.id == id }
    open.remove(id)
  }

  var pendingCount: Int { pending.count }
  var openCount: Int { open.count }

  private mutating func removeVictim() -> UInt64? {
    var counts: [[UInt8]: Int] = [:]
    for item in pending { counts[item.address, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let ofMost = pending.indices.filter { counts[pending[$0].address] == most }
    guard let index = ofMost.first(where: { !pending[$0].hasSpoken }) ?? ofMost.first else { return nil }
    return pending.remove(at: index).id
  }

  private mutating func takeToken(of address: [UInt8], at now: Duration) -> Bool {
    if buckets[address] == nil, buckets.count >= limits.addresses { forgetFull(at: now) }
    var bucket = buckets[address] ?? Bucket(tokens: limits.burst, since: now)
    bucket.tokens = tokens(of: bucket, at: now)
    bucket.since = now
    defer { buckets[address] = bucket }
    guard bucket.tokens >= 1 else { return false }
    bucket.tokens -= 1
    return true
  }

  private func tokens(of bucket: Bucket, at now: Duration) -> Double {
    min(limits.burst, bucket.tokens + (now - bucket.since) / .seconds(1) * limits.perSecond)
  }

  /// Drops addresses that have been quiet long enough for a full allowance, or all addresses if no address has been.
  private mutating func forgetFull(at now: Duration) {
    buckets = buckets.filter { tokens(of: $0.value, at: now) < limits.burst }
    if buckets.count >= limits.addresses { buckets = [:] }
  }
}
