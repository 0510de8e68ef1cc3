import NearbyTextForms
import NearbyUCI
import NearbyUCIText

/// Octets between a host and its chip as shown on the page: complete packets with their names.
struct TrafficText: Sendable {
  private var fromHost = PacketCutter()
  private var fromChip = PacketCutter()

  /// Returns one JSON object per packet.
  mutating func lines(_ traffic: WorldJournal.Traffic) -> [String] {
    let packets =
      traffic.isFromHost ? fromHost.packets(traffic.octets) : fromChip.packets(traffic.octets)
    return packets.map { packet in
      var line = JSONLine()
      line.add("t", traffic.time / .seconds(1), decimals: 6)
      line.add("host", traffic.isFromHost)
      line.add("hex", text: UCIText.hex(packet))
      line.add("name", text: UCIPacketName.name(of: packet))
      line.add("text", text: Self.meaning(packet))
      return line.closed()
    }
  }

  /// Describes the content of an unsegmented packet.
  private static func meaning(_ packet: [UInt8]) -> String {
    do throws(UCIError) {
      return UCIText.words(of: try UCIMessage(packet: packet, dialect: .v2))
    } catch {
      return "cannot be read: \(error.status)"
    }
  }
}

/// Names of packets in the UCI specification.
enum UCIPacketName {
  private static let names: [(id: UCIMessageID, name: String)] = [
    (.deviceReset, "CORE_DEVICE_RESET"), (.deviceStatus, "CORE_DEVICE_STATUS"),
    (.deviceInfo, "CORE_GET_DEVICE_INFO"), (.capabilities, "CORE_GET_CAPS_INFO"),
    (.setDeviceConfiguration, "CORE_SET_CONFIG"), (.getDeviceConfiguration, "CORE_GET_CONFIG"),
    (.deviceSuspend, "CORE_DEVICE_SUSPEND"), (.genericError, "CORE_GENERIC_ERROR"),
    (.queryTimestamp, "CORE_QUERY_UWBS_TIMESTAMP"),
    (.sessionInit, "SESSION_INIT"), (.sessionDeinit, "SESSION_DEINIT"), (.sessionStatus, "SESSION_STATUS"),
    (.setAppConfiguration, "SESSION_SET_APP_CONFIG"), (.getAppConfiguration, "SESSION_GET_APP_CONFIG"),
    (.sessionCount, "SESSION_GET_COUNT"), (.sessionState, "SESSION_GET_STATE"),
    (.multicastList, "SESSION_UPDATE_CONTROLLER_MULTICAST_LIST"),
    (.dtAnchorRounds, "SESSION_UPDATE_DT_ANCHOR_RANGING_ROUNDS"),
    (.dtTagRounds, "SESSION_UPDATE_DT_TAG_RANGING_ROUNDS"),
    (.initiatorAnchorRounds, "SESSION_SET_INITIATOR_DT_ANCHOR_RR_RDM_LIST"),
    (.queryDataSize, "SESSION_QUERY_DATA_SIZE_IN_RANGING"),
    (.hybridController, "SESSION_SET_HUS_CONTROLLER_CONFIG"),
    (.hybridControlee, "SESSION_SET_HUS_CONTROLEE_CONFIG"),
    (.dataTransferPhase, "SESSION_DATA_TRANSFER_PHASE_CONFIG"), (.sessionStart, "SESSION_START"),
    (.sessionStop, "SESSION_STOP"), (.rangingCount, "SESSION_GET_RANGING_COUNT"),
    (.dataCredit, "SESSION_DATA_CREDIT"), (.dataTransferStatus, "SESSION_DATA_TRANSFER_STATUS"),
    (.powerStatistics, "ANDROID_GET_POWER_STATS"), (.countryCode, "ANDROID_SET_COUNTRY_CODE"),
    (.rangeDiagnostics, "ANDROID_FIRA_RANGE_DIAGNOSTICS"),
  ]

  static func name(of packet: [UInt8]) -> String {
    guard let header = try? UCIPacketHeader(parsing: packet.span) else { return "?" }
    let known = names.first { $0.id == header.id }?.name
    switch header.type {
    case .command: return (known ?? unknown(header.id)) + "_CMD"
    case .response: return (known ?? unknown(header.id)) + "_RSP"
    case .notification:
      return header.id == .sessionInfo ? "SESSION_INFO_NTF" : (known ?? unknown(header.id)) + "_NTF"
    case .data: return "DATA_MESSAGE"
    case .testA, .testB: return "TEST"
    }
  }

  private static func unknown(_ id: UCIMessageID) -> String { "GID \(id.group) OID \(id.opcode)" }
}
