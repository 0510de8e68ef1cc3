import NearbyBluetooth
import NearbyEstimation
import NearbyOctets

/// One session of a device, in the order in which they were made.
package struct SessionID: Hashable, Sendable, Comparable {
  package let index: Int
  package init(index: Int) { self.index = index }
  package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// The arguments of `run`.
package struct PeerConfiguration: Hashable, Sendable {
  package var peer: DiscoveryIdentity
  package var usesCameraAssistance: Bool
  package var usesExtendedDistance: Bool
  /// The accessory to range with, whose identity is `peer` then; `nil` with a peer.
  package let accessory: AccessoryTarget?
  /// The accessory to range with by Bluetooth Channel Sounding; `nil` by ultra-wideband.
  package let sounding: SoundingTarget?

  package init(
    peer: DiscoveryIdentity, usesCameraAssistance: Bool = false, usesExtendedDistance: Bool = false
  ) {
    self.peer = peer
    self.usesCameraAssistance = usesCameraAssistance
    self.usesExtendedDistance = usesExtendedDistance
    accessory = nil
    sounding = nil
  }

  package init(accessory: AccessoryTarget, usesCameraAssistance: Bool = false) {
    peer = accessory.identity
    self.usesCameraAssistance = usesCameraAssistance
    usesExtendedDistance = false
    self.accessory = accessory
    sounding = nil
  }

  package init(sounding: SoundingTarget, usesCameraAssistance: Bool = false) {
    peer = sounding.identity
    self.usesCameraAssistance = usesCameraAssistance
    usesExtendedDistance = false
    accessory = nil
    self.sounding = sounding
  }
}

/// An accessory that ranges by Bluetooth Channel Sounding.
package struct SoundingTarget: Hashable, Sendable {
  package let peer: BluetoothPeer
  /// The accessory's identifier before the system gave it another one; `nil` if it has not changed.
  package let previous: BluetoothPeer?

  package init(peer: BluetoothPeer, previous: BluetoothPeer?) {
    self.peer = peer
    self.previous = previous
  }

  /// Derived from the first known identifier, so that it stays the same when the identifier changes.
  package var identity: DiscoveryIdentity {
    let known = previous ?? peer
    return DiscoveryIdentity(
      capabilities: [.accessory], random: known.high.bigEndianOctets + known.low.bigEndianOctets)
  }
}

/// Why a session was invalidated; the names are those of `NIError.Code`.
package enum SessionFailure: Error, Hashable, Sendable, CaseIterable {
  case unsupportedPlatform
  case invalidConfiguration
  case sessionFailed
  case resourceUsageTimeout
  case activeSessionsLimitExceeded
  case userDidNotAllow
  case invalidARConfiguration
  case accessoryPeerDeviceUnavailable
  case incompatiblePeerDevice
  case activeExtendedDistanceSessionsLimitExceeded
}

/// Why a peer is no longer reported.
package enum PeerRemoval: Hashable, Sendable { case timeout, peerEnded }

/// What a session's app is notified of, in order.
package enum SessionEvent: Sendable, Equatable {
  case updated(PeerEstimate)
  /// The messages of one round of anchors.
  case anchorsHeard([AnchorReading])
  /// Like `updated`, with camera assistance.
  case assisted(PeerEstimate, AssistedEstimate)
  /// What camera assistance still lacks for the session's peer, or for the whole session; empty once it
  /// converged.
  case convergence(ConvergenceReasons, ofPeer: Bool)
  case removed(PeerRemoval)
  case suspended
  case suspensionEnded
  case startedRunning
  case invalidated(SessionFailure)
  /// The data that the session's accessory needs to take part; the app sends it there.
  case shareable([UInt8])
  /// Not for the app: the device's Bluetooth has to perform Channel Sounding with this accessory for the session, or to
  /// stop it if `nil`.
  case sounds(BluetoothPeer?)
}

/// Limits and times of a device that Apple does not publish.
package struct DeviceSettings: Hashable, Sendable {
  package var capabilities: DeviceCapabilities = [.preciseDistance, .direction]
  /// Time between rounds, milliseconds, 50 to 10 000. 150 ms is what two iPhones were recorded to use.
  package var rangingIntervalMilliseconds: UInt32 = 150
  /// Silence after which a peer that was heard is removed. Our choice, as are the others below.
  package var peerTimeout: Duration = .seconds(10)
  /// Time from the shareable data to the accessory's first round, before it is removed.
  package var accessoryStartWindow: Duration = .seconds(10)
  /// Time in the background after which a session is invalidated.
  package var backgroundLimit: Duration = .seconds(180)
  /// Sessions that may run at once.
  package var sessionLimit = 8
  /// Time an ended session waits for its goodbye to be sent.
  package var goodbyeLimit: Duration = .seconds(1)
  /// Time a chip has from a session's configuration to its first ACTIVE, with other sessions' commands in
  /// between.
  package var startLimit: Duration = .seconds(10)
  package init() {}
}
