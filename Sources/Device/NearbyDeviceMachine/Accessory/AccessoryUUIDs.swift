import NearbyBluetooth

/// The Bluetooth services of accessories. Source: Apple, "Nearby Interaction Accessory Protocol
/// Specification"; for the data channels Apple's sample "Implementing spatial interactions with third-party
/// accessories" and Qorvo's `niq.h`.
package enum AccessoryUUIDs {
  /// Apple's Nearby Interaction service.
  package static let service = BluetoothUUID(high: 0x48FE_3E40_0817_4BB2, low: 0x8633_3073_689C_2DBA)
  /// Holds the configuration data of an accessory with a single session; reading it needs encryption.
  package static let configuration = BluetoothUUID(high: 0x95E8_D9D5_D8EF_4721, low: 0x9A4E_8073_75F5_3328)

  /// The service and the characteristics of a data channel.
  package struct Channel: Hashable, Sendable {
    package let service: BluetoothUUID
    /// Phones write here.
    package let receive: BluetoothUUID
    /// Phones are notified from here.
    package let transmit: BluetoothUUID
    /// Reading it makes a phone pair; `nil` where the channel has none.
    package let secure: BluetoothUUID?

    /// The Nordic UART Service, which Apple's sample uses.
    package static let nordicUART: Channel = {
      let low: UInt64 = 0xE0A9_E50E_24DC_CA9E
      return Channel(
        service: BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: low),
        receive: BluetoothUUID(high: 0x6E40_0002_B5A3_F393, low: low),
        transmit: BluetoothUUID(high: 0x6E40_0003_B5A3_F393, low: low), secure: nil)
    }()

    package static let qorvo: Channel = {
      let low: UInt64 = 0xA1EB_0242_AC12_0002
      return Channel(
        service: BluetoothUUID(high: 0x2E93_8FD0_6A61_11ED, low: low),
        receive: BluetoothUUID(high: 0x2E93_998A_6A61_11ED, low: low),
        transmit: BluetoothUUID(high: 0x2E93_9AF2_6A61_11ED, low: low),
        secure: BluetoothUUID(high: 0x2E93_941C_6A61_11ED, low: low))
    }()
  }
}
