import NearbyUCI
import TestSupport

extension SeededGenerator {
  mutating func octets(_ counts: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: counts, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
  mutating func number<Value: FixedWidthInteger>() -> Value { Value(truncatingIfNeeded: next()) }
}

/// Octets of hexadecimal text; ignores spaces and bars.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace && $0 != "|" }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A message as octets, in as many packets as needed.
func octets(_ message: UCIMessage, _ dialect: UCIDialect = .v2) -> [UInt8] {
  var octets: [UInt8] = []
  message.write(to: &octets, dialect: dialect)
  return octets
}

func response(_ response: UCIResponse, _ dialect: UCIDialect = .v2) -> [UInt8] {
  octets(.response(response), dialect)
}

func notification(_ notification: UCINotification, _ dialect: UCIDialect = .v2) -> [UInt8] {
  octets(.notification(notification), dialect)
}

func command(_ command: UCICommand, _ dialect: UCIDialect = .v2) -> [UInt8] {
  octets(.command(command), dialect)
}

/// Random messages of every form. Each fits into one control packet.
struct MessageSource {
  var random: SeededGenerator
  let dialect: UCIDialect

  mutating func token() -> UCISessionToken { UCISessionToken(random.number()) }
  mutating func status() -> UCIStatus { UCIStatus(rawValue: random.number()) }
  mutating func count() -> Int { Int.random(in: 0...5, using: &random) }

  mutating func tlvs() -> [UCITLV] {
    (0..<count()).map { _ in UCITLV(id: random.number(), value: random.octets(0...20)) }
  }

  mutating func statuses() -> [UCIParameterStatus] {
    (0..<count()).map { _ in UCIParameterStatus(id: random.number(), status: status()) }
  }

  mutating func controlees(withSubSessionID: Bool) -> [UCIControleeStatus] {
    (0..<count()).map { _ in
      UCIControleeStatus(
        address: random.number(), subSessionID: withSubSessionID ? random.number() : nil,
        status: UCIMulticastStatus(rawValue: random.number()))
    }
  }

  mutating func angle() -> UCIAngle {
    UCIAngle(degreesQ9_7: random.number(), figureOfMerit: random.number())
  }

  mutating func address(_ isExtended: Bool) -> UCIAddress {
    isExtended ? .extended(random.number()) : .short(random.number())
  }

  mutating func commands() -> [UCICommand] {
    let actions: [UCIMulticastAction] = [.add, .delete, .addWithShortKey, .addWithLongKey, .unknown(9)]
    let lists = actions.map { action in
      UCICommand.updateMulticastList(
        token(), action,
        (0..<count()).map { _ in
          UCIControlee(
            address: random.number(), subSessionID: random.number(),
            key: random.octets(action.keyLength...action.keyLength))
        })
    }
    return lists + [
      .deviceReset(configuration: random.number()), .getDeviceInfo, .getCapabilities,
      .setDeviceConfiguration(tlvs()), .getDeviceConfiguration(random.octets(0...9)), .queryTimestamp,
      .sessionInit(sessionID: random.number(), type: UCISessionType(rawValue: random.number())),
      .sessionDeinit(token()), .setAppConfiguration(token(), tlvs()),
      .getAppConfiguration(token(), random.octets(0...9)), .getSessionCount, .getSessionState(token()),
      .updateDTTagRounds(token(), random.octets(0...9)), .queryDataSize(token()), .deviceSuspend,
      .getPowerStatistics, .setCountryCode(random.octets(2...2)),
      .setHybridControleePhases(token(), (0..<count()).map { _ in token() }),
      .sessionStart(token()), .sessionStop(token()), .getRangingCount(token()),
      .unknown(group: 0x0C, opcode: 0x11, payload: random.octets(0...20)),
      .unknown(group: 0x0D, opcode: 0x00, payload: random.octets(0...20)),
      .unknown(group: 0x00, opcode: 0x09, payload: random.octets(0...20)),
      .unknown(group: 0x01, opcode: 0x0F, payload: random.octets(0...20)),
      .unknown(group: 0x02, opcode: 0x3F, payload: random.octets(0...20)),
    ] + scheduling(false) + scheduling(true)
  }

  /// Commands with lists of addresses of the same size.
  private mutating func scheduling(_ isExtended: Bool) -> [UCICommand] {
    let control: UInt8 = isExtended ? 0x05 : 0x02
    let entries = (0..<count()).map { _ in
      let size = UCITransferPhaseEntry.bitmapSize(control: control)
      return UCITransferPhaseEntry(
        address: address(isExtended), slotBitmap: random.octets(size...size), stop: random.number())
    }
    // At least one address, because an empty list fits either size.
    let lists = (1...Swift.max(count(), 1)).map { index in
      let addresses = (0...count()).map { _ in address(isExtended) }
      return UCIAnchorResponders(
        addresses: addresses, slots: index % 2 == 0 ? nil : random.octets(addresses.count...addresses.count))
    }
    let phases = (0..<count()).map { _ in
      UCIHybridPhase(
        token: token(), startSlot: random.number(), endSlot: random.number(),
        control: isExtended ? 1 : 0, address: address(isExtended))
    }
    let head = UCIHybridSchedule.EarlyHead(messageControl: 0, updateTime: random.number())
    return [
      .configureDataTransferPhase(token(), repetition: random.number(), control: control, entries),
      .updateDTAnchorRounds(
        token(), [.responder(round: random.number())] + lists.map { .initiator(round: random.number(), $0) }),
      .setInitiatorAnchorRounds(
        token(), lists.map { UCIAnchorRoundResponders(round: random.number(), responders: $0) }),
      .setHybridControllerPhases(token(), UCIHybridSchedule(phases: phases)),
      .setHybridControllerPhases(token(), UCIHybridSchedule(phases: phases, earlyHead: head)),
    ]
  }

  mutating func version() -> UCIVersion {
    UCIVersion(major: random.number(), minor: random.number(), maintenance: random.number())
  }

  mutating func responses() -> [UCIResponse] {
    let isSecond = dialect.multicastList == .v2
    return [
      .deviceReset(status()),
      .deviceInfo(
        status(),
        UCIDeviceInfo(
          uci: version(), mac: version(), phy: version(), test: version(), vendor: random.octets(0...9))),
      .capabilities(status(), tlvs()), .setDeviceConfiguration(status(), statuses()),
      .deviceConfiguration(status(), tlvs()), .timestamp(status(), microseconds: random.number()),
      .sessionInit(status(), handle: nil), .sessionInit(.ok, handle: token()), .sessionDeinit(status()),
      .setAppConfiguration(status(), statuses()), .appConfiguration(status(), tlvs()),
      .sessionCount(status(), random.number()),
      .sessionState(status(), UCISessionState(rawValue: random.number())),
      .updateMulticastList(status(), isSecond ? controlees(withSubSessionID: false) : []),
      .updateDTAnchorRounds(status(), failed: random.octets(0...9)),
      .updateDTTagRounds(status(), failed: random.octets(0...9)),
      .dataSize(token(), status(), maximum: random.number()), .configureDataTransferPhase(status()),
      .sessionStart(status()), .sessionStop(status()), .rangingCount(status(), random.number()),
      .deviceSuspend(status()), .setInitiatorAnchorRounds(status(), failed: random.octets(0...9)),
      .setHybridControllerPhases(status()), .setHybridControleePhases(status()), .setCountryCode(status()),
      .powerStatistics(
        status(),
        UCIPowerStatistics(
          idleMilliseconds: random.number(), transmitMilliseconds: random.number(),
          receiveMilliseconds: random.number(), wakes: random.number())),
      .bareStatus(group: 1, opcode: 3, status()), .bareStatus(group: 0, opcode: 2, status()),
      .unknown(group: 0x0E, opcode: 1, payload: random.octets(0...20)),
      .unknown(group: 0x01, opcode: 0x3F, payload: random.octets(0...20)),
    ]
  }

  mutating func notifications() -> [UCINotification] {
    let isFirst = dialect.multicastList == .v1
    let sequence: UInt16 = random.number()
    return [
      .deviceStatus(UCIDeviceState(rawValue: random.number())), .genericError(status()),
      .sessionStatus(
        token(), UCISessionState(rawValue: random.number()), UCIReason(rawValue: random.number())),
      .multicastList(
        token(), remaining: isFirst ? random.number() : nil, controlees(withSubSessionID: isFirst)),
      .dataTransferPhase(token(), UCITransferPhaseStatus(rawValue: random.number())),
      .dataCredit(token(), isAvailable: random.next() & 1 == 0),
      .dataTransferStatus(
        token(), sequence: dialect.dataTransfer == .pica ? sequence & 0xFF : sequence,
        UCITransferStatus(rawValue: random.number()), transmissions: random.number()),
      .rangeDiagnostics(diagnostics()),
      .sessionInfo(info(twoWay(false))), .sessionInfo(info(twoWay(true))),
      .sessionInfo(info(oneWay(false))), .sessionInfo(info(oneWay(true))),
      .sessionInfo(info(downlink(false))), .sessionInfo(info(downlink(true))),
      .sessionInfo(
        UCISessionInfo(
          sequence: random.number(), token: token(), intervalMilliseconds: random.number(),
          measurements: .unknown(type: 0, usesExtendedAddresses: false, payload: random.octets(1...20)))),
      .unknown(group: 0x0C, opcode: 3, payload: random.octets(0...20)),
    ]
  }

  mutating func diagnostics() -> UCIRangeDiagnostics {
    let reports = (0..<count()).map { _ in
      UCIFrameReport(
        messageID: UCIFrameMessage(rawValue: random.number()), action: random.number(),
        antennaSet: random.number(),
        fields: [
          .rssi(random.octets(0...3)), .other(type: 2, random.octets(0...9)), .other(type: 1, [1, 2, 3]),
          .angles([
            UCIFrameAngle(
              timeDifference: random.number(), phaseDifference: random.number(), angle: angle(),
              axis: random.number())
          ]),
        ])
    }
    return UCIRangeDiagnostics(token: token(), sequence: random.number(), reports: reports)
  }

  mutating func info(_ measurements: UCIMeasurements) -> UCISessionInfo {
    UCISessionInfo(
      sequence: random.number(), token: token(), rcrIndicator: random.number(),
      intervalMilliseconds: random.number(), primarySessionID: random.number(), measurements: measurements,
      vendor: random.octets(0...16))
  }

  mutating func twoWay(_ isExtended: Bool) -> UCIMeasurements {
    .twoWay(
      (0..<count()).map { _ in
        UCITwoWayMeasurement(
          address: address(isExtended), status: status(), nonLineOfSight: random.number(),
          distanceCentimetres: random.number(), azimuth: angle(), elevation: angle(),
          destinationAzimuth: angle(), destinationElevation: angle(), slotIndex: random.number(),
          rssiHalfDecibels: random.number())
      }, usesExtendedAddresses: isExtended)
  }

  mutating func oneWay(_ isExtended: Bool) -> UCIMeasurements {
    .oneWayAngle(
      (0..<count()).map { _ in
        UCIOneWayAngleMeasurement(
          address: address(isExtended), status: status(), nonLineOfSight: random.number(),
          frameSequence: random.number(), blockIndex: random.number(), azimuth: angle(), elevation: angle())
      }, usesExtendedAddresses: isExtended)
  }

  mutating func downlink(_ isExtended: Bool) -> UCIMeasurements {
    let locations: [UCIAnchorLocation?] = [
      nil, .wgs84(latitudeQ9_24: -(1 << 32), longitudeQ9_24: 1 << 32 - 1, altitudeQ9_21: -(1 << 29)),
      .relative(xMillimetres: -(1 << 27), yMillimetres: 1 << 27 - 1, zMillimetres: -1),
    ]
    return .downlinkTDoA(
      locations.map { location in
        UCIDownlinkTDoAMeasurement(
          address: address(isExtended), status: status(), messageType: random.number(),
          hasCommonTimeBase: random.next() & 1 == 0, reservedControl: random.number(),
          blockIndex: random.number(), roundIndex: random.number(), nonLineOfSight: random.number(),
          azimuth: angle(), elevation: angle(), rssiHalfDecibels: random.number(),
          transmitted: random.next() & 1 == 0 ? .bits40(random.next() >> 24) : .bits64(random.next()),
          received: random.next() & 1 == 0 ? .bits40(random.next() >> 24) : .bits64(random.next()),
          anchorClockOffsetQ6_10: random.number(), clockOffsetQ6_10: random.number(),
          initiatorReplyTime: random.number(), responderReplyTime: random.number(),
          timeOfFlight: random.number(), location: location, activeRounds: random.octets(0...15))
      }, usesExtendedAddresses: isExtended)
  }

  mutating func data() -> [UCIDataMessage] {
    let sequence: UInt16 = random.number()
    return [
      .send(token(), destination: random.number(), sequence: sequence, random.octets(0...100)),
      .received(
        token(), status(), source: random.number(), sequence: sequence, random.octets(0...100)),
      .unknown(format: 15, payload: random.octets(0...100)),
    ]
  }

  mutating func all() -> [UCIMessage] {
    commands().map { .command($0) } + responses().map { .response($0) }
      + notifications().map { .notification($0) } + data().map { .data($0) }
  }
}
