import Foundation
import NearbyBlueZ
import NearbyFiles

/// A process's Bluetooth settings.
///
/// | variable | is |
/// |---|---|
/// | `NEARBY_BLUETOOTH` | `hci0` and so on: this adapter; `off`: none; absent or empty: the first that is on |
/// | `NEARBY_BLUETOOTH_SCAN` | `passive`: scans without asking advertisers for more; needs `CAP_NET_RAW` |
/// | `DBUS_SYSTEM_BUS_ADDRESS` | where the system's bus is, in place of `/run/dbus/system_bus_socket` |
/// | `XDG_STATE_HOME` | an absolute path: folder of `swift-nearby/bluetooth.key`, in place of `~/.local/state` |
package struct BluetoothSettings: Sendable {
  /// `nil` for no Bluetooth.
  package var radio: BlueZRadio.Settings?
  /// The file of the secret from which peers' identifiers are derived; `nil` keeps it in memory.
  package var keyFile: URL?
  package var notices: [String] = []

  package init(radio: BlueZRadio.Settings?) { self.radio = radio }

  package init(environment: [String: String], home: URL) {
    let state = XDGFolder.state.url(environment, home: home)
    keyFile = state.appendingPathComponent("swift-nearby/bluetooth.key")
    var settings = BlueZRadio.Settings()
    if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty {
      settings.busAddress = address
    }
    switch environment["NEARBY_BLUETOOTH_SCAN"] {
    case nil, "", "active": break
    case "passive": settings.isPassive = true
    case .some(let text): notices.append("NEARBY_BLUETOOTH_SCAN=\(text): expected active or passive")
    }
    switch environment["NEARBY_BLUETOOTH"] {
    case nil, "": radio = settings
    case "off": radio = nil
    case .some(let text) where text.hasPrefix("hci") && UInt16(text.dropFirst(3)) != nil:
      settings.adapter = text
      radio = settings
    case .some(let text):
      notices.append("NEARBY_BLUETOOTH=\(text): expected hci0, hci1 and so on, or off; taken as off")
    }
  }
}
