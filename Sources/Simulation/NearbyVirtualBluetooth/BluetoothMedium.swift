/// What carries packets between simulated radios: the world, as this air knows it.
package protocol BluetoothMedium {
  /// Carries one packet.
  ///
  /// - Parameters:
  ///   - sender: By the order in which devices joined the air, as `receiver`.
  ///   - channel: 0 to 36 for data, 37 to 39 for advertisements.
  /// - Returns: Its power at the receiver, dBm; `nil` for one that did not arrive.
  mutating func receive(from sender: Int, to receiver: Int, channel: UInt8, at time: Duration) -> Int?
}
