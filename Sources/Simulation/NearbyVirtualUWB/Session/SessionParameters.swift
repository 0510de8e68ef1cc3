import NearbySchedule
import NearbyUCI

/// A session's parameters, as parsed at START and after each change.
final class SessionParameters: Sendable {
  let round: RoundParameters
  let isController: Bool
  let peers: [UInt64]
  let terminationAttempts: UInt8
  let dataRepetition: UInt8
  let reportsEachRepetition: Bool
  let phy: PhyParameters
  /// `nil` unless the session is that of a DL-TDoA anchor or tag.
  let downlink: DownlinkParameters?

  init(_ store: ParameterStore, sessionID: UInt32, controlees: [UInt64]) {
    round = RoundParameters(store, sessionID: sessionID)
    isController = store.octet(ParameterID.deviceType, 0) == 1
    peers = controlees
    terminationAttempts = store.octet(ParameterID.inBandTermination, 1)
    dataRepetition = store.octet(ParameterID.dataRepetition, 0)
    reportsEachRepetition = store.octet(ParameterID.transferStatusConfiguration, 0) == 1
    phy = PhyParameters(store)
    downlink = round.isDownlink ? DownlinkParameters(store) : nil
  }
}

/// The physical parameters that two chips must share to receive each other, besides the channel.
struct PhyParameters: Hashable, Sendable {
  var stsConfiguration: UInt8
  var rframe: UInt8
  var preambleCode: UInt8
  var sfd: UInt8
  var psduRate: UInt8
  var preambleDuration: UInt8
  var phrRate: UInt8
  var prfMode: UInt8
  var stsSegments: UInt8
  var stsLength: UInt8
  /// The input to the scrambled timestamp sequence: vendor id and initialisation vector, or the provisioned
  /// key.
  var secret: STSSecret

  init(_ store: ParameterStore) {
    stsConfiguration = store.octet(ParameterID.stsConfiguration, 0)
    rframe = store.octet(ParameterID.rframeConfiguration, 3)
    preambleCode = store.octet(ParameterID.preambleCode, 10)
    sfd = store.octet(ParameterID.sfd, 2)
    psduRate = store.octet(ParameterID.psduRate, 0)
    preambleDuration = store.octet(ParameterID.preambleDuration, 1)
    phrRate = store.octet(ParameterID.phrRate, 0)
    prfMode = store.octet(ParameterID.prfMode, 0)
    stsSegments = store.octet(ParameterID.stsSegments, rframe == 0 ? 0 : 1)
    stsLength = store.octet(ParameterID.stsLength, 1)
    secret = STSSecret(store, configuration: stsConfiguration)
  }

  /// The codes and rates packed into one word, for matching.
  var packed: UInt64 {
    var word: UInt64 = 0
    let codes = [
      stsConfiguration, rframe, sfd, psduRate, preambleDuration, phrRate, prfMode, stsSegments, stsLength,
    ]
    for code in codes { word = word << 6 | UInt64(code & 0x3F) }
    return word << 8 | UInt64(preambleCode)
  }
}

/// The secret of a session's STS, up to 32 octets.
struct STSSecret: Hashable, Sendable {
  private var words: SIMD4<UInt64> = .zero
  private var count: UInt8 = 0

  init(_ store: ParameterStore, configuration: UInt8) {
    if configuration == 3 || configuration == 4 {
      add(store[ParameterID.sessionKey] ?? [])
      // A responder's own key replaces the session key if it is set.
      if configuration == 4, let own = store[ParameterID.subSessionKey] { replace(own) }
    } else if configuration == 0 {
      add(store[ParameterID.vendorID] ?? [0, 0])
      add(store[ParameterID.staticSTSVector] ?? [0, 0, 0, 0, 0, 0])
    }
  }

  init(key: [UInt8]) { add(key) }

  /// A digest of the secret, for hashing only, not for comparison.
  var digest: UInt64 {
    SplitMix64.hash(
      of: SplitMix64.hash(of: words.x ^ SplitMix64.hash(of: words.y)) ^ SplitMix64.hash(of: words.z) ^ words.w
    )
  }

  mutating func replace(_ octets: some Sequence<UInt8>) {
    words = .zero
    count = 0
    add(octets)
  }

  private mutating func add(_ octets: some Sequence<UInt8>) {
    for octet in octets where count < 32 {
      words[Int(count) / 8] |= UInt64(octet) << (8 * UInt64(count % 8))
      count += 1
    }
  }
}
