/// One frame of a DL-TDoA round as a tag heard it (section 4).
package struct UCIDownlinkTDoAMeasurement: Hashable, Sendable {
  package var address: UCIAddress
  package init(address: UCIAddress) { self.address = address }
}
