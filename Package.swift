// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func engine(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + ["TestSupport"],
    exclude: [],
    swiftSettings: strict)
}

// On Apple's systems an app links Apple's frameworks, so the facades exist on Linux only.
#if os(Linux)
  let facadeProducts: [Product] = [
    .library(name: "NearbyInteraction", targets: ["NearbyInteraction"]),
    .library(name: "ARKit", targets: ["ARKit"]),
    .library(name: "simd", targets: ["simd"]),
    .library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]),
    .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
    .library(name: "NearbyAccessory", targets: ["NearbyAccessory"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "NearbyTesting", targets: ["NearbyTesting"]),
    .library(name: "NearbyPeers", targets: ["NearbyPeers"]),
    // The command is no product: with it an app could have no target of the name of any of its examples' or engines'.
    .library(
      name: "AppleShims",
      targets: ["Combine", "CoreGraphics", "os", "OSLog", "SwiftUI", "UIKit", "UserNotifications"]),
  ]
  let facades: [Target] = [
    engine("simd"),
    engine(
      "NearbyAccessory",
      ["NearbyRuntime", "NearbyAccessoryProtocol", "NearbyBluetooth", "NearbyConcurrency"]),
    engine(
      "CoreLocation",
      [
        "NearbyFoundation", "NearbyBeacons", "NearbyBluetooth", "CNearbyCoreLocation", "Combine",
        "NearbyConcurrency", "NearbyRuntime",
        "NearbySafeArchives",
      ]),
    engine(
      "CoreBluetooth",
      [
        "NearbyFoundation", "NearbyBluetooth", "CNearbyCoreBluetooth", "Combine", "NearbyConcurrency",
        "NearbyRuntime",
      ]),
    engine("NearbySafeArchives", ["NearbyConcurrency"]),
    // What Apple's frameworks bring along: no code of ours uses them, the facades re-export them.
    engine("NearbyFoundation", ["NearbyConcurrency"]),
    engine("Combine", ["NearbyConcurrency", "NearbyFoundation"]),
    engine("_Testing_CoreGraphics"),
    engine("CoreGraphics", ["NearbyFoundation", "_Testing_CoreGraphics"]),
    engine("_Testing_UIKit"),
    engine(
      "UIKit", ["CNearbyUIKit", "CoreGraphics", "NearbyConcurrency", "NearbyRuntime", "_Testing_UIKit"]),
    engine("UserNotifications", ["NearbyConcurrency", "NearbyFoundation", "CoreLocation", "NearbyRuntime"]),
    .systemLibrary(name: "CNearbyOSLog"),
    .systemLibrary(name: "CNearbyMultipeerConnectivity"),
    .systemLibrary(name: "CNearbyInteraction"),
    .systemLibrary(name: "CNearbyCoreLocation"),
    .systemLibrary(name: "CNearbyCoreBluetooth"),
    .systemLibrary(name: "CNearbyARKit"),
    .systemLibrary(name: "CNearbyUIKit"),
    engine("os", ["NearbyFoundation", "NearbyTextForms", "CNearbyOSLog"]),
    engine("OSLog", ["os"]),
    engine("SwiftUI", ["NearbyFoundation", "Combine", "UIKit"]),
    engine(
      "ARKit",
      [
        "NearbyConcurrency", "NearbyFoundation", "CNearbyARKit", "NearbyRuntime", "NearbyEstimation",
        "NearbySafeArchives",
        "UIKit",
        "simd",
      ]),
    engine(
      "NearbyInteraction",
      [
        "NearbyConcurrency", "NearbyFoundation", "NearbyRuntime", "ARKit", "NearbyBluetooth",
        "CNearbyInteraction", "Combine",
        "NearbyEstimation", "NearbySafeArchives", "simd",
      ]),
    engine(
      "MultipeerConnectivity",
      [
        "NearbyConcurrency", "NearbyFoundation", "CNearbyMultipeerConnectivity", "Combine", "NearbyRuntime",
        "NearbyPeerLink",
        "NearbySafeArchives",
        "UIKit",
      ]),
    engine(
      "NearbyPeers",
      ["MultipeerConnectivity", "NearbyConcurrency", "NearbyInteraction", "NearbyRuntime", "simd"]),
    engine(
      "NearbyTesting",
      [
        "NearbyBluetooth", "NearbyRuntime", "NearbyInteraction", "NearbyScenarios", "NearbySimulator",
        "NearbyVirtualBluetooth",
        "NearbyVirtualUWB", "simd",
      ]),
    .target(
      name: "Museum", dependencies: ["NearbyInteraction", "NearbyTesting"], path: "Examples/Museum",
      swiftSettings: strict),
    .target(
      name: "Cerca", dependencies: ["NearbyInteraction", "MultipeerConnectivity", "simd"],
      path: "Examples/Cerca", swiftSettings: strict),
    .target(
      name: "AccessoryApp",
      dependencies: ["CoreBluetooth", "NearbyAccessory", "NearbyInteraction", "NearbyTesting"],
      path: "Examples/Accessory", swiftSettings: strict),
    .target(
      name: "SmartSpeaker", dependencies: ["AccessoryApp", "NearbyAccessory", "NearbyInteraction"],
      path: "Examples/SmartSpeaker", swiftSettings: strict),
    .target(
      name: "DragonRadar", dependencies: ["CoreLocation", "NearbyTesting"], path: "Examples/DragonRadar",
      swiftSettings: strict),
    .target(
      name: "CercaPeers", dependencies: ["NearbyPeers"], path: "Examples/CercaPeers", swiftSettings: strict),
    .executableTarget(
      name: "nearby",
      dependencies: [
        "AccessoryApp", "Cerca", "DragonRadar", "Museum", "SmartSpeaker", "MultipeerConnectivity",
        "NearbyAccessory", "NearbyBeacons", "NearbyBluetooth", "NearbyConcurrency", "NearbyEstimation",
        "NearbyInteraction", "NearbyPeerLink", "NearbyRadioLinks", "NearbyRecordings", "NearbyRuntime",
        "NearbyScenarios",
        "NearbySimulator", "NearbySourceCheck", "NearbyTesting", "NearbyTextForms", "NearbyUCI",
        "NearbyVirtualUWB", "NearbyWorld", "NearbyWorldProtocol", "simd",
      ],
      swiftSettings: strict),
  ]
#else
  let facadeProducts: [Product] = []
  let facades: [Target] = []
#endif

let engines: [Target] = [
  // Boxes, relays and locks; imports nothing of ours.
  .target(name: "NearbyConcurrency", path: "Sources/Leaves/NearbyConcurrency", swiftSettings: strict),
  engine("NearbyUCI"),
  engine("NearbyAccessoryProtocol"),
  engine("NearbyBluetooth"),
  engine("NearbyVirtualBluetooth", ["NearbyBluetooth"]),
  engine("NearbyBeacons", ["NearbyBluetooth"]),
  engine("NearbyPeerLink"),
  engine("NearbyEstimation"),
  engine("NearbySimulator"),
  engine("NearbyVirtualUWB", ["NearbyUCI", "NearbyEstimation"]),
  engine("NearbyRadioLinks", ["CNearbyLinux"]),
  engine("NearbyWorldProtocol", ["NearbyBluetooth"]),
  engine("NearbyTextForms"),
  engine("NearbyRecordings", ["NearbyBeacons", "NearbyEstimation"]),
  engine("NearbySourceCheck"),
  engine("NearbyScenarios", ["NearbySimulator", "NearbyRecordings", "NearbyTextForms"]),
  engine(
    "NearbyRuntime",
    [
      "NearbyUCI", "NearbyConcurrency", "NearbyEventLoop", "NearbyEstimation", "NearbySimulator",
      "NearbyVirtualUWB",
      "NearbyRadioLinks", "NearbyRecordings", "NearbyScenarios",
      "NearbyWorldProtocol", "NearbyPeerLink", "NearbyPeerNetwork", "CNearbyOpenSSL", "NearbyBluetooth",
      "NearbyBlueZ", "NearbyVirtualBluetooth",
      "NearbyAccessoryProtocol", "NearbyBeacons", "NearbyTextForms",
    ]),
  .target(
    name: "NearbyWorld",
    dependencies: [
      "NearbyWorldProtocol", "NearbyRuntime", "NearbyConcurrency", "NearbyEstimation", "NearbyScenarios",
      "NearbySimulator", "NearbyVirtualUWB", "NearbyRadioLinks",
      "NearbyUCI", "NearbyBeacons", "NearbyBluetooth", "NearbyVirtualBluetooth",
      "NearbyTextForms", "CNearbyLinux", "CNearbyMicroHTTPD", "CNearbyOpenSSL", "CNearbyWSlay",
    ],
    resources: [.copy("Page"), .copy("Scenes")], swiftSettings: strict),
  .systemLibrary(name: "CNearbyMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
  .systemLibrary(name: "CNearbyWSlay", providers: [.apt(["libwslay-dev"])]),
  engine(
    "NearbyBlueZ",
    ["NearbyBluetooth", "NearbyConcurrency", "NearbyEventLoop", "CNearbySystemd", "CNearbyLinux"]),
  .systemLibrary(name: "CNearbySystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
  // The one event loop, of peers' channels and of the connection to the Bluetooth daemon.
  .target(
    name: "NearbyEventLoop", dependencies: ["NearbyConcurrency", "CNearbyLinux"],
    path: "Sources/System/NearbyEventLoop", swiftSettings: strict),
  engine(
    "NearbyPeerNetwork",
    ["NearbyConcurrency", "NearbyEventLoop", "CNearbyOpenSSL", "CNearbyAvahi", "CNearbyLinux"]),
  .systemLibrary(name: "CNearbyOpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
  // Both of Avahi's libraries. Without pkgConfig: all that Avahi's files ask for is -D_REENTRANT, of which
  // SwiftPM warns each time.
  .systemLibrary(name: "CNearbyAvahi", providers: [.apt(["libavahi-client-dev", "libavahi-core-dev"])]),
  // What Glibc's module leaves out of the C library: epoll, eventfd, routing messages.
  .systemLibrary(name: "CNearbyLinux"),
]

let checks: [Target] = [
  .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
  tests("ConcurrencyTests", ["NearbyConcurrency"]),
  tests(
    "SafeArchivesTests",
    ["ARKit", "MultipeerConnectivity", "NearbyInteraction", "NearbyTesting", "NearbySafeArchives"]),
  tests("CombineTests", ["Combine"]),
  tests(
    "ShimTests",
    ["CoreLocation", "MultipeerConnectivity", "NearbyTesting", "UIKit", "UserNotifications", "os"]),
  tests("simdTests", ["simd"]),
  tests(
    "WorldTests",
    [
      "AccessoryApp", "NearbyBluetooth", "CoreBluetooth", "CoreLocation", "NearbyAccessory", "NearbyWorld",
      "NearbyWorldProtocol", "NearbyRuntime", "NearbyInteraction", "NearbyRadioLinks", "NearbyScenarios",
      "NearbySimulator", "NearbyUCI", "SmartSpeaker",
    ]),
  tests("UCITests", ["NearbyUCI"]),
  tests("BeaconsTests", ["NearbyBeacons", "NearbyBluetooth", "NearbyRecordings"]),
  tests("AccessoryTests", ["NearbyAccessoryProtocol", "NearbyRuntime", "NearbyUCI"]),
  tests("CheckTests", ["NearbySourceCheck"]),
  tests("PeerLinkTests", ["NearbyPeerLink"]),
  tests("EstimationTests", ["NearbyEstimation", "NearbyRecordings", "NearbySimulator"]),
  tests("SimulatorTests", ["NearbySimulator", "NearbyScenarios", "NearbyRecordings"]),
  tests("VirtualBluetoothTests", ["NearbyVirtualBluetooth", "NearbyBluetooth"]),
  tests("VirtualUWBTests", ["NearbyVirtualUWB", "NearbyUCI", "NearbyEstimation"]),
  // A peer in a process of its own, for tests.
  .executableTarget(
    name: "PeerHost", dependencies: ["NearbyPeerNetwork"], path: "Tests/PeerHost", swiftSettings: strict),
  // A process that uses Bluetooth, for `make test-bluetooth`.
  .executableTarget(
    name: "BluetoothProbe",
    dependencies: [
      "AccessoryApp", "NearbyBlueZ", "NearbyBluetooth", "CoreBluetooth", "CoreLocation", "NearbyInteraction",
      "NearbyRuntime",
    ],
    path: "Tests/BluetoothProbe", swiftSettings: strict),
  tests("BlueZTests", ["NearbyRuntime", "NearbyBluetooth", "NearbyBlueZ", "NearbyEventLoop"]),
  tests("PeerNetworkTests", ["NearbyEventLoop", "NearbyPeerNetwork", "PeerHost", "CNearbyOpenSSL"]),
  tests(
    "RuntimeTests",
    [
      "NearbyAccessoryProtocol", "NearbyBeacons", "NearbyBluetooth", "NearbyPeerLink", "NearbyPeerNetwork",
      "NearbyRuntime", "NearbyRadioLinks",
      "NearbyUCI", "NearbyVirtualUWB",
      "NearbySimulator", "NearbyEstimation",
    ]),
  tests(
    "FacadeTests",
    [
      "ARKit", "NearbyBluetooth", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyAccessory",
      "NearbyInteraction", "NearbyTesting", "NearbyRuntime", "simd",
    ]),
  .executableTarget(
    name: "PeerProbe", dependencies: ["MultipeerConnectivity"], path: "Tests/PeerProbe",
    swiftSettings: strict),
  tests(
    "PeerProcessTests", ["PeerProbe", "MultipeerConnectivity", "NearbyPeerLink", "NearbyPeerNetwork"]),
  // As apps are set up that were written before Swift 6, without this package's strictness.
  .testTarget(
    name: "SourceCompatibilityTests",
    dependencies: [
      "ARKit", "Combine", "CoreBluetooth", "CoreGraphics", "CoreLocation", "MultipeerConnectivity",
      "NearbyInteraction", "NearbyTesting", "OSLog", "SwiftUI", "UIKit", "UserNotifications", "os", "simd",
    ],
    swiftSettings: [.swiftLanguageMode(.v5)]),
  tests(
    "ScenarioTests",
    [
      "AccessoryApp", "Cerca", "CercaPeers", "CoreBluetooth", "CoreLocation", "DragonRadar", "Museum",
      "MultipeerConnectivity", "NearbyAccessory", "NearbyInteraction", "NearbyPeers", "NearbyTesting",
      "SmartSpeaker", "simd",
    ]),
  tests(
    "CommandTests",
    [
      "AccessoryApp", "NearbyBeacons", "Cerca", "nearby", "MultipeerConnectivity", "NearbyAccessory",
      "NearbyConcurrency", "NearbyRuntime", "NearbyTesting",
      "NearbyWorld", "NearbyRadioLinks", "NearbyRecordings", "NearbyScenarios", "NearbyTextForms",
      "NearbyUCI",
    ]),
  .executableTarget(
    name: "NearbyBenchmarks",
    dependencies: [
      "AccessoryApp", "NearbyAccessory", "NearbyUCI", "NearbyEstimation", "NearbySimulator",
      "NearbyVirtualUWB", "NearbyRecordings",
      "NearbyRuntime",
      "MultipeerConnectivity", "NearbyInteraction", "NearbyTesting", "NearbyPeerLink", "NearbyPeerNetwork",
      "CNearbyOpenSSL",
      "NearbyRadioLinks", "NearbyWorldProtocol", "NearbyBeacons", "NearbyBluetooth", "simd",
      "NearbySourceCheck",
    ],
    path: "Benchmarks/NearbyBenchmarks", swiftSettings: strict),
  .executableTarget(
    name: "NearbyFuzz",
    dependencies: [
      "NearbyUCI", "NearbyVirtualUWB", "NearbyRadioLinks", "NearbyRecordings", "NearbyScenarios",
      "NearbySimulator", "NearbyRuntime",
      "MultipeerConnectivity", "NearbyInteraction", "NearbyWorld", "NearbyPeerLink", "NearbyPeerNetwork",
      "NearbyWorldProtocol",
      "NearbyBeacons",
      "NearbyBluetooth", "NearbyAccessoryProtocol", "NearbyBlueZ", "NearbySourceCheck", "CNearbyLinux",
    ],
    path: "Fuzz/NearbyFuzz", swiftSettings: strict),
]

// For nobody to use: SwiftPM gives other names (`moduleAliases`) to the targets of products and to what these name
// themselves only, and an app may have a target of the name of one of ours, though all begin with `Nearby`.
let renamable = engines.filter {
  $0.type == .regular && !["NearbyWorld", "NearbySourceCheck"].contains($0.name)
}

let package = Package(
  name: "swift-nearby",
  products: facadeProducts + [.library(name: "_NearbyEngines", targets: renamable.map(\.name))],
  targets: engines + facades + checks
)
