/// The targets of swift-nearby that come with its products beside those of Apple's names. SwiftPM wants a target's name
/// once in all packages that are built together, so an app's target of one of these names needs ours renamed.
///
/// A test holds the list against Package.swift. C targets are not in it: SwiftPM can't rename them.
enum EngineTargets {
  static let names: Set<String> = [
    "NearbyAccessory", "NearbyAccessoryProtocol", "NearbyAirs", "NearbyBeacons", "NearbyBluetooth",
    "NearbyBlueZ", "NearbyChipTools", "NearbyConcurrency", "NearbyDevice", "NearbyDeviceMachine",
    "NearbyEstimation", "NearbyEventLoop", "NearbyExchange", "NearbyFiles", "NearbyFoundation", "NearbyHome",
    "NearbyKeyDerivation", "NearbyLive", "NearbyMaths", "NearbyOctets", "NearbyPeerLink",
    "NearbyPeerNetwork", "NearbyPeers", "NearbyRadioLinks", "NearbyRecordings", "NearbySafeArchives",
    "NearbyScenarios", "NearbySchedule", "NearbySimulated", "NearbySimulator", "NearbyTesting",
    "NearbyTextForms", "NearbyUCI", "NearbyUCIMessages", "NearbyVirtualBluetooth", "NearbyVirtualUWB",
    "NearbyWorldProtocol",
  ]

  /// What ours is called beside an app's target of that name.
  static func alias(_ name: String) -> String { name + "OfSwiftNearby" }
}
