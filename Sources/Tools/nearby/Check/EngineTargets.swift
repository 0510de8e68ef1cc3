/// The targets that come with swift-nearby's products, except those with Apple's names. SwiftPM requires target names
/// to be unique among all packages that are built together, so if an app's target has one of these names, ours must be
/// renamed.
///
/// A test compares the list with Package.swift. C targets are not listed, because SwiftPM can't rename them.
enum EngineTargets {
  static let names: Set<String> = [
    "NearbyAccessory", "NearbyAccessoryProtocol", "NearbyAirs", "NearbyBeacons", "NearbyBluetooth",
    "NearbyAccessorySetup", "NearbyBlueZ", "NearbyChipTools", "NearbyConcurrency", "NearbyDevice",
    "NearbyDeviceMachine",
    "NearbyEstimation", "NearbyEventLoop", "NearbyExchange", "NearbyFiles", "NearbyFoundation", "NearbyHome",
    "NearbyKeyDerivation", "NearbyLive", "NearbyMaths", "NearbyNATS", "NearbyOctets", "NearbyPeerLink",
    "NearbyPeerNetwork", "NearbyPeerRelay", "NearbyPeers", "NearbyPosition", "NearbyRadioLinks",
    "NearbyRecordings",
    "NearbySafeArchives",
    "NearbyScenarios", "NearbySchedule", "NearbySimulated", "NearbySimulator", "NearbySounding",
    "NearbyStateOctets",
    "NearbyTestIssues",
    "NearbyTesting",
    "NearbyTextForms", "NearbyUCI", "NearbyUCIMessages", "NearbyUCIText", "NearbyURLSession",
    "NearbyVirtualBluetooth",
    "NearbyVirtualTime", "NearbyVirtualUWB", "NearbyWorldProtocol",
  ]

  /// The name of our target when an app's target has the same name.
  static func alias(_ name: String) -> String { name + "OfSwiftNearby" }
}
