/// The variants of UCI that a controller speaks.
///
/// Real chips mix the variants of 1.x and 2.0, so each can be set separately; `v1` and `v2` are the
/// consistent sets. Parsers accept every variant that can be recognised from the octets alone, so a dialect
/// mostly decides how messages are written.
///
/// Source: FiRa UCI Generic Specification 2.0, and the definitions in AOSP's `uci_packets.pdl` and
/// google/pica.
package struct UCIDialect: Hashable, Sendable {
  package enum Version: Hashable, Sendable { case v1, v2 }

  /// How application data is cut into packets, numbered and acknowledged.
  package enum DataTransfer: Hashable, Sendable {
    /// A message may be cut into several packets, of which only the first carries the message's header.
    /// Sequence numbers are 16 bits wide, both in data messages and in DATA_TRANSFER_STATUS_NTF. AOSP uses
    /// this variant with 1.x too.
    case standard
    /// google/pica's variant. Every packet is a message with its own header, and the controller joins the
    /// packets into one message with sequence number 1. Sequence numbers in DATA_TRANSFER_STATUS_NTF are 8
    /// bits wide. A controller acknowledges an accepted message only with a credit.
    case pica
  }

  /// The numbering of the capability ids in GET_CAPS_INFO.
  package var capabilities: Version
  /// `v2`: SESSION_INIT_RSP returns a handle, which identifies the session from then on.
  package var sessionHandles: Version
  /// The layout of the response and the notification of a multicast list update.
  package var multicastList: Version
  package var dataTransfer: DataTransfer
  /// `v2`: UWB_INITIATION_TIME is 8 octets, an absolute time in microseconds. `v1`: 4 octets, a delay in
  /// milliseconds.
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
  /// google/pica's dialect: 2.0, but without session handles and with its own data transfer.
  package static let pica = UCIDialect(
    capabilities: .v2, sessionHandles: .v1, multicastList: .v2, dataTransfer: .pica, initiationTime: .v2)
  package static let v2 = UCIDialect(
    capabilities: .v2, sessionHandles: .v2, multicastList: .v2, dataTransfer: .standard, initiationTime: .v2)
}
