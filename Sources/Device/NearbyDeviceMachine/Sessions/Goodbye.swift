/// The in-band message by which a session notifies its peer that it has ended.
///
/// Octets: `4E 49` ("NI"), version `01`, kind `00`. Our own format, carried by DATA_MESSAGE_SND.
package enum Goodbye {
  package static let octets: [UInt8] = [0x4E, 0x49, 0x01, 0x00]
}
