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
    engine("NearbyAccessory", ["NearbyRuntime", "AccessoryProtocol", "Bluetooth"]),
    engine(
      "CoreLocation",
      [
        "AppleFoundation", "Beacons", "Bluetooth", "CCoreLocation", "Combine", "NearbyRuntime",
        "SafeArchives",
      ]),
    engine("CoreBluetooth", ["AppleFoundation", "Bluetooth", "CCoreBluetooth", "Combine", "NearbyRuntime"]),
    engine("SafeArchives"),
    // What Apple's frameworks bring along: no code of ours uses them, the facades re-export them.
    engine("AppleFoundation"),
    engine("Combine", ["AppleFoundation"]),
    engine("_Testing_CoreGraphics"),
    engine("CoreGraphics", ["AppleFoundation", "_Testing_CoreGraphics"]),
    engine("_Testing_UIKit"),
    engine("UIKit", ["CUIKit", "CoreGraphics", "NearbyRuntime", "_Testing_UIKit"]),
    engine("UserNotifications", ["AppleFoundation", "CoreLocation", "NearbyRuntime"]),
    .systemLibrary(name: "COSLog"),
    .systemLibrary(name: "CMultipeerConnectivity"),
    .systemLibrary(name: "CNearbyInteraction"),
    .systemLibrary(name: "CCoreLocation"),
    .systemLibrary(name: "CCoreBluetooth"),
    .systemLibrary(name: "CARKit"),
    .systemLibrary(name: "CUIKit"),
    engine("os", ["AppleFoundation", "COSLog"]),
    engine("OSLog", ["os"]),
    engine("SwiftUI", ["AppleFoundation", "Combine", "UIKit"]),
    engine(
      "ARKit",
      ["AppleFoundation", "CARKit", "NearbyRuntime", "Estimation", "SafeArchives", "UIKit", "simd"]),
    engine(
      "NearbyInteraction",
      [
        "AppleFoundation", "NearbyRuntime", "ARKit", "Bluetooth", "CNearbyInteraction", "Combine",
        "Estimation", "SafeArchives", "simd",
      ]),
    engine(
      "MultipeerConnectivity",
      [
        "AppleFoundation", "CMultipeerConnectivity", "Combine", "NearbyRuntime", "PeerLink", "SafeArchives",
        "UIKit",
      ]),
    engine(
      "NearbyPeers", ["MultipeerConnectivity", "NearbyInteraction", "NearbyRuntime", "simd"]),
    engine(
      "NearbyTesting",
      [
        "Bluetooth", "NearbyRuntime", "NearbyInteraction", "Scenarios", "Simulator", "VirtualBluetooth",
        "VirtualUWB", "simd",
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
        "AccessoryApp", "Bluetooth", "DragonRadar", "Cerca", "Museum", "SmartSpeaker",
        "MultipeerConnectivity", "NearbyInteraction",
        "NearbyRuntime", "NearbyTesting", "NearbyWorld", "Beacons", "Estimation", "RadioLinks",
        "Recordings", "Scenarios", "Simulator", "TextForms", "UCI", "VirtualUWB", "WorldProtocol", "simd",
        "NearbyAccessory", "SourceCheck",
      ],
      swiftSettings: strict),
  ]
#else
  let facadeProducts: [Product] = []
  let facades: [Target] = []
#endif

let engines: [Target] = [
  engine("UCI"),
  engine("AccessoryProtocol"),
  engine("Bluetooth"),
  engine("VirtualBluetooth", ["Bluetooth"]),
  engine("Beacons", ["Bluetooth"]),
  engine("PeerLink"),
  engine("Estimation"),
  engine("Simulator"),
  engine("VirtualUWB", ["UCI", "Estimation"]),
  engine("RadioLinks"),
  engine("WorldProtocol", ["Bluetooth"]),
  engine("TextForms"),
  engine("Recordings", ["Beacons", "Estimation"]),
  engine("SourceCheck"),
  engine("Scenarios", ["Simulator", "Recordings", "TextForms"]),
  engine(
    "NearbyRuntime",
    [
      "UCI", "Estimation", "Simulator", "VirtualUWB", "RadioLinks", "Recordings", "Scenarios",
      "WorldProtocol", "PeerLink", "PeerNetwork", "COpenSSL", "Bluetooth", "BlueZ", "VirtualBluetooth",
      "AccessoryProtocol", "Beacons",
    ]),
  .target(
    name: "NearbyWorld",
    dependencies: [
      "WorldProtocol", "NearbyRuntime", "Estimation", "Scenarios", "Simulator", "VirtualUWB", "RadioLinks",
      "UCI", "Beacons", "Bluetooth", "VirtualBluetooth",
      "TextForms", "CWebSockets",
    ],
    resources: [.copy("Page"), .copy("Scenes")], swiftSettings: strict),
  .systemLibrary(name: "CWebSockets", providers: [.apt(["libwebsockets-dev"])]),
  engine("BlueZ", ["Bluetooth", "CSystemd", "CLinux"]),
  .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
  engine("PeerNetwork", ["COpenSSL", "CAvahi", "CLinux"]),
  .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
  // Both of Avahi's libraries. Without pkgConfig: all that Avahi's files ask for is -D_REENTRANT, of which
  // SwiftPM warns each time.
  .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev", "libavahi-core-dev"])]),
  // What Glibc's module leaves out of the C library: epoll, eventfd, routing messages.
  .systemLibrary(name: "CLinux"),
]

let checks: [Target] = [
  .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
  tests(
    "SafeArchivesTests",
    ["ARKit", "MultipeerConnectivity", "NearbyInteraction", "NearbyTesting", "SafeArchives"]),
  tests("CombineTests", ["Combine"]),
  tests(
    "ShimTests",
    ["CoreLocation", "MultipeerConnectivity", "NearbyTesting", "UIKit", "UserNotifications", "os"]),
  tests("simdTests", ["simd"]),
  tests(
    "WorldTests",
    [
      "AccessoryApp", "Bluetooth", "CoreBluetooth", "CoreLocation", "NearbyAccessory", "NearbyWorld",
      "WorldProtocol", "NearbyRuntime", "NearbyInteraction", "RadioLinks", "Scenarios", "Simulator", "UCI",
    ]),
  tests("UCITests", ["UCI"]),
  tests("BeaconsTests", ["Beacons", "Bluetooth", "Recordings"]),
  tests("AccessoryTests", ["AccessoryProtocol", "NearbyRuntime", "UCI"]),
  tests("CheckTests", ["SourceCheck"]),
  tests("PeerLinkTests", ["PeerLink"]),
  tests("EstimationTests", ["Estimation", "Recordings", "Simulator"]),
  tests("SimulatorTests", ["Simulator", "Scenarios", "Recordings"]),
  tests("VirtualBluetoothTests", ["VirtualBluetooth", "Bluetooth"]),
  tests("VirtualUWBTests", ["VirtualUWB", "UCI", "Estimation"]),
  // A peer in a process of its own, for tests.
  .executableTarget(
    name: "PeerHost", dependencies: ["PeerNetwork"], path: "Tests/PeerHost", swiftSettings: strict),
  // A process that uses Bluetooth, for `make test-bluetooth`.
  .executableTarget(
    name: "BluetoothProbe",
    dependencies: [
      "AccessoryApp", "BlueZ", "Bluetooth", "CoreBluetooth", "CoreLocation", "NearbyInteraction",
      "NearbyRuntime",
    ],
    path: "Tests/BluetoothProbe", swiftSettings: strict),
  tests("BlueZTests", ["NearbyRuntime", "Bluetooth", "BlueZ"]),
  tests("PeerNetworkTests", ["PeerNetwork", "PeerHost", "COpenSSL"]),
  tests(
    "RuntimeTests",
    [
      "AccessoryProtocol", "Beacons", "Bluetooth", "NearbyRuntime", "RadioLinks", "UCI", "VirtualUWB",
      "Simulator", "Estimation",
    ]),
  tests(
    "FacadeTests",
    [
      "ARKit", "Bluetooth", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyAccessory",
      "NearbyInteraction", "NearbyTesting", "NearbyRuntime", "simd",
    ]),
  .executableTarget(
    name: "PeerProbe", dependencies: ["MultipeerConnectivity"], path: "Tests/PeerProbe",
    swiftSettings: strict),
  tests("PeerProcessTests", ["PeerProbe", "MultipeerConnectivity"]),
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
      "AccessoryApp", "Beacons", "Cerca", "nearby", "NearbyAccessory", "NearbyRuntime", "NearbyTesting",
      "NearbyWorld", "RadioLinks", "Recordings", "Scenarios", "TextForms", "UCI",
    ]),
  .executableTarget(
    name: "NearbyBenchmarks",
    dependencies: [
      "AccessoryApp", "NearbyAccessory", "UCI", "Estimation", "Simulator", "VirtualUWB", "Recordings",
      "NearbyRuntime",
      "MultipeerConnectivity", "NearbyInteraction", "NearbyTesting", "PeerLink", "PeerNetwork", "COpenSSL",
      "RadioLinks", "WorldProtocol", "Beacons", "Bluetooth", "simd", "SourceCheck",
    ],
    path: "Benchmarks/NearbyBenchmarks", swiftSettings: strict),
  .executableTarget(
    name: "NearbyFuzz",
    dependencies: [
      "UCI", "VirtualUWB", "RadioLinks", "Recordings", "Scenarios", "Simulator", "NearbyRuntime",
      "NearbyInteraction", "NearbyWorld", "PeerLink", "PeerNetwork", "WorldProtocol", "Beacons",
      "Bluetooth", "AccessoryProtocol", "BlueZ", "SourceCheck",
    ],
    path: "Fuzz/NearbyFuzz", swiftSettings: strict),
]

// For nobody to use: SwiftPM gives other names (`moduleAliases`) to the targets of products and to what these name
// themselves only, and an app may have a target of the name of any of ours.
let renamable = engines.filter { $0.type == .regular && !["NearbyWorld", "SourceCheck"].contains($0.name) }

let package = Package(
  name: "swift-nearby",
  products: facadeProducts + [.library(name: "_NearbyEngines", targets: renamable.map(\.name))],
  targets: engines + facades + checks
)
