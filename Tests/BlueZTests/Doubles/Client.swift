import Dispatch
import Foundation
import NearbyBlueZ
import NearbyBluetooth

@testable import NearbyLive

/// A process's Bluetooth on a private bus, with one user.
final class Client: Sendable {
  let bluetooth: LiveBluetooth
  let listener = Listener()
  let user: BluetoothUser

  init(_ address: String, adapter: String? = nil) {
    var radio = BlueZRadio.Settings()
    radio.busAddress = address
    radio.adapter = adapter
    radio.pace.first = .milliseconds(20)
    radio.pace.longest = .milliseconds(50)
    var patience = LiveBluetooth.Patience()
    patience.adapter = .milliseconds(50)
    bluetooth = LiveBluetooth(BluetoothSettings(radio: radio), patience: patience)
    let queue = DispatchQueue(label: "client")
    let start = ContinuousClock.now
    user = bluetooth.makeUser(
      listener, now: { ContinuousClock.now - start }, deliver: { queue.async(execute: $0) })
  }

  deinit { bluetooth.stop() }

  func perform(_ command: BluetoothCommand) { bluetooth.perform(command, of: user) }
}
