/// Which of the field's forms a controller speaks.
///
/// Chips mix them, so each form can be set on its own; `v1` and `v2` are the consistent sets.
/// Source: `facts/uci.md`, sections 2, 3 and 5.
package struct UCIDialect: Hashable, Sendable {
  package enum Version: Hashable, Sendable { case v1, v2 }

  /// Numbering of the capability ids of GET_CAPS_INFO.
  package var capabilities: Version
  /// `v2`: SESSION_INIT_RSP returns a handle that stands for the session from then on.
  package var sessionHandles: Version
  /// Form of the responses and notifications of the multicast list update.
  package var multicastList: Version
  /// `v2`: 16-bit sequence numbers and no component octets in data messages.
  package var dataMessages: Version
  /// `v2`: UWB_INITIATION_TIME has 8 octets, absolute, in microseconds; `v1`: 4 octets, in milliseconds.
  package var initiationTime: Version

  package init(
    capabilities: Version, sessionHandles: Version, multicastList: Version, dataMessages: Version,
    initiationTime: Version
  ) {
    self.capabilities = capabilities
    self.sessionHandles = sessionHandles
    self.multicastList = multicastList
    self.dataMessages = dataMessages
    self.initiationTime = initiationTime
  }

  package static let v1 = UCIDialect(
    capabilities: .v1, sessionHandles: .v1, multicastList: .v1, dataMessages: .v1, initiationTime: .v1)
  /// 2.0 without session handles, as google/pica speaks it; its capabilities are numbered as its version says.
  package static let pica = UCIDialect(
    capabilities: .v2, sessionHandles: .v1, multicastList: .v2, dataMessages: .v2, initiationTime: .v2)
  package static let v2 = UCIDialect(
    capabilities: .v2, sessionHandles: .v2, multicastList: .v2, dataMessages: .v2, initiationTime: .v2)
}
