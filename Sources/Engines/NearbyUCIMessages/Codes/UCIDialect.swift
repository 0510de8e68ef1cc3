/// Which of the forms in use a controller speaks.
///
/// Chips mix them, so each form can be set on its own; `v1` and `v2` are the consistent sets. Readers accept
/// every form that the octets alone tell apart, so a dialect mostly decides what is written.
/// Source: FiRa UCI Generic Specification 2.0, and the definitions of AOSP's `uci_packets.pdl` and google/pica.
package struct UCIDialect: Hashable, Sendable {
  package enum Version: Hashable, Sendable { case v1, v2 }

  /// How application data travels.
  package enum DataTransfer: Hashable, Sendable {
    /// A message may be cut into packets, of which only the first has the message's header. Sequence numbers
    /// have 16 bits in data messages and in DATA_TRANSFER_STATUS_NTF. AOSP reads this form in 1.x too.
    case standard
    /// As google/pica has it: every packet is a message with a header of its own, the controller joins what it
    /// collected into one message with sequence number 1, and DATA_TRANSFER_STATUS_NTF has 8 bits of sequence
    /// number. A credit is the only answer to a message that was accepted.
    case pica
  }

  /// Numbering of the capability ids of GET_CAPS_INFO.
  package var capabilities: Version
  /// `v2`: SESSION_INIT_RSP returns a handle that stands for the session from then on.
  package var sessionHandles: Version
  /// Form of the responses and notifications of the multicast list update.
  package var multicastList: Version
  package var dataTransfer: DataTransfer
  /// `v2`: UWB_INITIATION_TIME has 8 octets, absolute, in microseconds; `v1`: 4 octets, in milliseconds.
  package var initiationTime: Version

  package init(
    capabilities: Version, sessionHandles: Version, multicastList: Version,
    dataTransfer: DataTransfer = .standard, initiationTime: Version
  ) {
    self.capabilities = capabilities
    self.sessionHandles = sessionHandles
    self.multicastList = multicastList
    self.dataTransfer = dataTransfer
    self.initiationTime = initiationTime
  }

  package static let v1 = UCIDialect(
    capabilities: .v1, sessionHandles: .v1, multicastList: .v1, dataTransfer: .standard, initiationTime: .v1)
  /// 2.0 without session handles, as google/pica speaks it; its capabilities are numbered as its version says.
  package static let pica = UCIDialect(
    capabilities: .v2, sessionHandles: .v1, multicastList: .v2, dataTransfer: .pica, initiationTime: .v2)
  package static let v2 = UCIDialect(
    capabilities: .v2, sessionHandles: .v2, multicastList: .v2, dataTransfer: .standard, initiationTime: .v2)
}
