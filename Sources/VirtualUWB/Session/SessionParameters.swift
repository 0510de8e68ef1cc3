import UCI

/// A session's parameters as its rounds use them, read once at START.
///
/// A class, for every round hands them around many times and they never change: a copy is one pointer.
final class SessionParameters: Sendable {
  let sessionID: UInt32
  let isController: Bool
  let isInitiator: Bool
  /// RANGING_ROUND_USAGE.
  ///
  /// 6, one-way angles, belongs to advertisers and observers. With the roles of two-way ranging it is taken for
  /// 2, as google/pica does: hosts tested against it rely on that.
  let usage: UInt8
  let isOneToMany: Bool
  let channel: UInt8
  let address: UInt64
  let peers: [UInt64]
  let usesExtendedAddresses: Bool
  let slotDuration: Int64
  let slotsPerRound: Int64
  /// RANGING_DURATION: one block, milliseconds.
  let blockMilliseconds: UInt32
  /// Blocks left out after each one used.
  let stride: Int64
  let hops: Bool
  /// RANGING_ROUND_CONTROL.
  let roundControl: UInt8
  let angleRequest: UInt8
  /// RESULT_REPORT_CONFIG.
  let resultReport: UInt8
  let reportsRSSI: Bool
  let priority: UInt8
  let maximumRetries: UInt16
  let maximumMeasurements: UInt16
  let terminationAttempts: UInt8
  let isSuspended: Bool
  let dataRepetition: UInt8
  let reportsEachRepetition: Bool
  let phy: PhyParameters

  init(_ store: ParameterStore, sessionID: UInt32, controlees: [UInt64]) {
    self.sessionID = sessionID
    isController = store.octet(ParameterID.deviceType, 0) == 1
    isInitiator = store.octet(ParameterID.deviceRole, 0) == 1
    let usage = store.octet(ParameterID.rangingRoundUsage, 2)
    self.usage = usage == 6 && store.octet(ParameterID.deviceRole, 0) <= 1 ? 2 : usage
    isOneToMany = store.octet(ParameterID.multiNodeMode, 0) == 1
    channel = store.octet(ParameterID.channel, 9)
    address = store.number(ParameterID.deviceAddress, 0)
    peers = controlees
    usesExtendedAddresses = store.octet(ParameterID.addressMode, 0) == 2
    let rstu = Int64(store.number(ParameterID.slotDuration, 2400))
    slotDuration = AirTime.nanoseconds(rstu: rstu)
    slotsPerRound = Int64(store.octet(ParameterID.slotsPerRound, 25))
    blockMilliseconds = UInt32(truncatingIfNeeded: store.number(ParameterID.rangingDuration, 200))
    stride = Int64(store.octet(ParameterID.blockStride, 0))
    hops = store.octet(ParameterID.hoppingMode, 0) == 1
    roundControl = store.octet(ParameterID.roundControl, 0x03)
    angleRequest = store.octet(ParameterID.angleRequest, 1)
    resultReport = store.octet(ParameterID.resultReport, 0x01)
    reportsRSSI = store.octet(ParameterID.rssiReporting, 0) == 1
    priority = store.octet(ParameterID.sessionPriority, 50)
    maximumRetries = UInt16(truncatingIfNeeded: store.number(ParameterID.maximumRoundRetries, 0))
    maximumMeasurements = UInt16(truncatingIfNeeded: store.number(ParameterID.maximumMeasurements, 0))
    terminationAttempts = store.octet(ParameterID.inBandTermination, 1)
    isSuspended = store.octet(ParameterID.suspendRounds, 0) == 1
    dataRepetition = store.octet(ParameterID.dataRepetition, 0)
    reportsEachRepetition = store.octet(ParameterID.transferStatusConfiguration, 0) == 1
    phy = PhyParameters(store)
  }

  var blockDuration: Int64 { Int64(blockMilliseconds) * 1_000_000 }
  var roundDuration: Int64 { slotsPerRound * slotDuration }
  var method: TwoWayMethod { usage == 1 || usage == 3 ? .singleSided : .doubleSided }
  var isDeferred: Bool { usage == 1 || usage == 2 }
  var wantsAzimuth: Bool { angleRequest != 0 && angleRequest != 3 }
  var wantsElevation: Bool { angleRequest != 0 && angleRequest != 2 }

  func wireAddress(_ value: UInt64) -> UCIAddress {
    usesExtendedAddresses ? .extended(value) : .short(UInt16(truncatingIfNeeded: value))
  }
}

/// What two chips must agree on to hear each other, beside the channel.
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
  /// What the scrambled timestamp sequence is made of: vendor id and IV, or the provisioned key.
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

  /// The codes and rates in one word, for matching.
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
      // Each responder's own key takes the session key's place where there is one.
      if configuration == 4, let own = store[ParameterID.subSessionKey] { replace(own) }
    } else if configuration == 0 {
      add(store[ParameterID.vendorID] ?? [0, 0])
      add(store[ParameterID.staticSTSVector] ?? [0, 0, 0, 0, 0, 0])
    }
  }

  init(key: [UInt8]) { add(key) }

  /// All of the secret in one word, for looking up; not for comparing.
  var digest: UInt64 { Mixing.mix(Mixing.mix(words.x ^ Mixing.mix(words.y)) ^ Mixing.mix(words.z) ^ words.w) }

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
