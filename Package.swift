// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A module of this package, in one of the folders of `Sources`.
func module(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [],
  features: [String] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)",
    swiftSettings: strict + features.map { .enableExperimentalFeature($0) }, plugins: plugins)
}

func example(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Examples/\(folder)", swiftSettings: strict)
}

func program(_ name: String, path: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

// MARK: Below Apple's names

// Small utilities that several modules need, each named after its contents.
let leaves: [Target] = [
  module("NearbyConcurrency", in: "Leaves"),
  module("NearbyExchange", in: "Leaves"),
  module("NearbyFiles", in: "Leaves"),
  module("NearbyKeyDerivation", in: "Leaves", ["CNearbyOpenSSL"]),
  module("NearbyMaths", in: "Leaves"),
  // `Lifetimes` lets a cursor hold a `Span`; modules that use the cursor need no flag.
  module("NearbyOctets", in: "Leaves", features: ["Lifetimes"]),
  module("NearbySchedule", in: "Leaves", ["NearbyMaths"]),
  module("NearbyStateOctets", in: "Leaves"),
  module("NearbyTextForms", in: "Leaves"),
]

// Protocols and estimation: pure code without sockets, threads or clocks.
let engines: [Target] = [
  module("NearbyAccessoryProtocol", in: "Engines", ["NearbyOctets"]),
  module(
    "NearbyBeacons", in: "Engines",
    ["NearbyBluetooth", "NearbyMaths", "NearbyOctets", "NearbySchedule", "NearbyStateOctets"]),
  module("NearbyBluetooth", in: "Engines", ["NearbyOctets"]),
  module("NearbyEstimation", in: "Engines", ["NearbyMaths"]),
  module("NearbyPeerLink", in: "Engines", ["NearbyOctets"]),
  module("NearbySounding", in: "Engines", ["NearbyBluetooth", "NearbyEstimation", "NearbyMaths"]),
  module("NearbyUCI", in: "Engines", ["NearbyUCIMessages"]),
  module("NearbyUCIMessages", in: "Engines", ["NearbyOctets"]),
  module("NearbyUCIText", in: "Engines", ["NearbyTextForms", "NearbyUCIMessages"]),
]

// Simulated physics and chips, and the files that describe or record them.
let simulation: [Target] = [
  module(
    "NearbyAirs", in: "Simulation",
    [
      "NearbyBluetooth", "NearbyExchange", "NearbyScenarios", "NearbySchedule", "NearbySimulator",
      "NearbyUCI", "NearbyVirtualBluetooth", "NearbyVirtualUWB",
    ]),
  module("NearbyRecordings", in: "Simulation", ["NearbyBeacons", "NearbyEstimation", "NearbySounding"]),
  module(
    "NearbyScenarios", in: "Simulation",
    [
      "NearbyExchange", "NearbyMaths", "NearbyRecordings", "NearbySchedule", "NearbySimulator",
      "NearbyTextForms",
    ]),
  module("NearbySimulator", in: "Simulation", ["NearbyExchange", "NearbyMaths", "NearbySchedule"]),
  module("NearbyVirtualBluetooth", in: "Simulation", ["NearbyBluetooth", "NearbySchedule"]),
  module(
    "NearbyVirtualUWB", in: "Simulation",
    ["NearbyEstimation", "NearbyExchange", "NearbyOctets", "NearbySchedule", "NearbyUCI"]),
]

// Sockets, buses and C libraries.
let system: [Target] = [
  module(
    "NearbyBlueZ", in: "System",
    ["CNearbyLinux", "CNearbySystemd", "NearbyBluetooth", "NearbyConcurrency", "NearbyEventLoop"]),
  module("NearbyEventLoop", in: "System", ["CNearbyLinux", "NearbyConcurrency", "NearbySchedule"]),
  module(
    "NearbyPeerNetwork", in: "System",
    [
      "CNearbyAvahi", "CNearbyLinux", "CNearbyOpenSSL", "NearbyConcurrency", "NearbyEventLoop",
      "NearbyOctets",
    ]),
  module("NearbyNATS", in: "System", ["CNearbyNATS", "NearbySchedule"]),
  module(
    "NearbyPeerRelay", in: "System", ["NearbyEventLoop", "NearbyNATS", "NearbyOctets", "NearbyPeerLink"]),
  module("NearbyRadioLinks", in: "System", ["CNearbyLinux"]),
  // Both of Avahi's libraries. No pkgConfig: Avahi's files only add -D_REENTRANT, for which SwiftPM prints a warning in
  // every build.
  .systemLibrary(
    name: "CNearbyAvahi", path: "Sources/System/CNearbyAvahi",
    providers: [.apt(["libavahi-client-dev", "libavahi-core-dev"])]),
  // Definitions that stand before libdispatch's, CoreFoundation's and the C library's in programs that link it.
  .target(name: "CNearbyVirtualTime", path: "Sources/System/CNearbyVirtualTime"),
  // What a world that steps its time and the programs in it share.
  .target(name: "CNearbyTimePage", path: "Sources/System/CNearbyTimePage"),
  // The parts of the C library that the Glibc module lacks: epoll, eventfd, routing messages.
  .systemLibrary(name: "CNearbyLinux", path: "Sources/System/CNearbyLinux"),
  .systemLibrary(
    name: "CNearbyMicroHTTPD", path: "Sources/System/CNearbyMicroHTTPD",
    providers: [.apt(["libmicrohttpd-dev"])]),
  .systemLibrary(
    name: "CNearbyNATS", path: "Sources/System/CNearbyNATS", providers: [.apt(["libnats-dev"])]),
  .systemLibrary(
    name: "CNearbyOpenSSL", path: "Sources/System/CNearbyOpenSSL", pkgConfig: "openssl",
    providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CNearbySystemd", path: "Sources/System/CNearbySystemd", pkgConfig: "libsystemd",
    providers: [.apt(["libsystemd-dev"])]),
  .systemLibrary(
    name: "CNearbyWSlay", path: "Sources/System/CNearbyWSlay", providers: [.apt(["libwslay-dev"])]),
]

// A device: its state machine, the device with its sides, and its two shells. NearbyHome creates this process's device.
let devices: [Target] = [
  // Fails the build if a module that must remain pure imports threads, files, clocks or locks.
  .plugin(name: "PureImports", capability: .buildTool()),
  module(
    "NearbyDevice", in: "Device",
    [
      "NearbyAccessorySetup", "NearbyBluetooth", "NearbyDeviceMachine", "NearbyOctets", "NearbyPeerLink",
      "NearbyPeerNetwork",
      "NearbySchedule", "NearbyTextForms",
    ]),
  module("NearbyAccessorySetup", in: "Device", ["NearbyBluetooth"]),
  module(
    "NearbyDeviceMachine", in: "Device",
    [
      "NearbyAccessoryProtocol", "NearbyBeacons", "NearbyBluetooth", "NearbyEstimation",
      "NearbyKeyDerivation", "NearbyOctets", "NearbySounding", "NearbyUCI",
    ], plugins: [.plugin(name: "PureImports")]),
  module(
    "NearbyHome", in: "Device",
    [
      "NearbyDevice", "NearbyDeviceMachine", "NearbyFiles", "NearbyLive", "NearbyRadioLinks",
      "NearbyTextForms", "NearbyWorldProtocol",
    ]),
  module(
    "NearbyLive", in: "Device",
    [
      "NearbyAccessorySetup", "NearbyBluetooth", "NearbyBlueZ", "NearbyConcurrency", "NearbyDevice",
      "NearbyDeviceMachine",
      "NearbyEstimation", "NearbyEventLoop", "NearbyFiles", "NearbyKeyDerivation", "NearbyNATS",
      "NearbyOctets", "NearbyPeerLink", "NearbyPeerNetwork", "NearbyPeerRelay", "NearbyRadioLinks",
      "NearbyRecordings", "NearbyTextForms",
      "NearbyWorldProtocol",
    ]),
  module(
    "NearbySimulated", in: "Device",
    [
      "NearbyAccessorySetup", "NearbyAirs", "NearbyBluetooth", "NearbyConcurrency", "NearbyDevice",
      "NearbyDeviceMachine",
      "NearbyEstimation", "NearbyExchange", "NearbyOctets", "NearbyPeerLink", "NearbyScenarios",
      "NearbySchedule", "NearbySimulator", "NearbyUCI", "NearbyVirtualBluetooth", "NearbyVirtualUWB",
    ]),
]

// A world that several programs can join, and its page.
let world: [Target] = [
  module("NearbyWorldProtocol", in: "World", ["NearbyBluetooth", "NearbyOctets", "NearbySchedule"]),
  .target(
    name: "NearbyWorld",
    dependencies: [
      "CNearbyLinux", "CNearbyMicroHTTPD", "CNearbyOpenSSL", "CNearbyWSlay", "NearbyAirs", "NearbyBeacons",
      "NearbyBluetooth", "NearbyConcurrency", "NearbyDeviceMachine", "NearbyExchange", "NearbyFiles",
      "NearbyPosition", "NearbyRadioLinks", "NearbyScenarios", "NearbySchedule", "NearbySimulated",
      "NearbySimulator", "NearbyTextForms", "NearbyUCI", "NearbyUCIText", "NearbyVirtualBluetooth",
      "NearbyVirtualUWB",
      "NearbyWorldProtocol",
    ],
    path: "Sources/World/NearbyWorld", resources: [.copy("Page"), .copy("Scenes")], swiftSettings: strict),
]

// A world that steps its time for the programs in it, and the library that they load so that their clocks are its.
let programTime: Target = .target(
  name: "CNearbyProgramTime", dependencies: ["CNearbyTimePage"], path: "Sources/System/CNearbyProgramTime")
let steppedWorld: Target = module(
  "NearbySteppedWorld", in: "World",
  [
    "CNearbyTimePage", "NearbyRadioLinks", "NearbyScenarios", "NearbySchedule", "NearbySimulator",
    "NearbyWorld", "NearbyWorldProtocol",
  ])

// Radios and chips for tools that speak UCI themselves.
let chipTools: [Target] = [
  module(
    "NearbyChipTools", in: "Tools",
    [
      "NearbyAirs", "NearbyConcurrency", "NearbyDeviceMachine", "NearbyEstimation", "NearbyExchange",
      "NearbyRadioLinks", "NearbyRecordings", "NearbyScenarios", "NearbySchedule", "NearbySimulated",
      "NearbySimulator", "NearbyUCI", "NearbyVirtualUWB",
    ])
]

// Reads the names that modules declare from its resources.
let sourceCheck: Target = .target(
  name: "NearbySourceCheck", dependencies: ["NearbyFiles"], path: "Sources/Tools/NearbySourceCheck",
  resources: [.copy("Names")], swiftSettings: strict)

// MARK: Apple's names

// On Apple's systems an app links Apple's frameworks, so the facades exist on Linux only.
#if os(Linux)
  let facadeProducts: [Product] = [
    .library(name: "NearbyInteraction", targets: ["NearbyInteraction"]),
    .library(name: "ARKit", targets: ["ARKit"]),
    .library(name: "simd", targets: ["simd"]),
    .library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]),
    .library(name: "AccessorySetupKit", targets: ["AccessorySetupKit"]),
    .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
    .library(name: "NearbyAccessory", targets: ["NearbyAccessory"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "NearbyTesting", targets: ["NearbyTesting"]),
    // Beside NearbyTesting, for tests with Swift Testing: it alone links Swift Testing.
    .library(name: "NearbyTestIssues", targets: ["NearbyTestIssues", "NearbyTesting"]),
    .library(name: "NearbyPeers", targets: ["NearbyPeers"]),
    .library(name: "NearbyPosition", targets: ["NearbyPosition"]),
    // The command is not a product: it would prevent an app from naming a target like one of its examples or engines.
    .library(
      name: "AppleShims",
      targets: [
        "Combine", "CommonCrypto", "CoreGraphics", "CryptoKit", "NearbyURLSession", "os", "OSLog", "SwiftUI",
        "UIKit", "UserNotifications",
      ]),
  ]
  let facades: [Target] = [
    module(
      "ARKit", in: "Apple",
      [
        "CNearbyARKit", "NearbyConcurrency", "NearbyDevice", "NearbyDeviceMachine", "NearbyEstimation",
        "NearbyFoundation", "NearbyHome", "NearbySafeArchives", "simd", "UIKit",
      ]),
    module(
      "AccessorySetupKit", in: "Apple",
      [
        "CoreBluetooth", "NearbyAccessorySetup", "NearbyBluetooth", "NearbyConcurrency", "NearbyDevice",
        "NearbyFoundation", "NearbyHome", "UIKit",
      ]),
    module(
      "CoreBluetooth", in: "Apple",
      [
        "CNearbyCoreBluetooth", "Combine", "NearbyBluetooth", "NearbyConcurrency", "NearbyDevice",
        "NearbyFoundation", "NearbyHome", "NearbySchedule", "NearbySounding",
      ]),
    module(
      "CoreLocation", in: "Apple",
      [
        "CNearbyCoreLocation", "Combine", "NearbyBeacons", "NearbyBluetooth", "NearbyConcurrency",
        "NearbyDevice", "NearbyDeviceMachine", "NearbyFoundation", "NearbyHome", "NearbySafeArchives",
      ]),
    module(
      "MultipeerConnectivity", in: "Apple",
      [
        "CNearbyMultipeerConnectivity", "Combine", "NearbyConcurrency", "NearbyDevice", "NearbyFoundation",
        "NearbyHome", "NearbyPeerLink", "NearbySafeArchives", "UIKit",
      ]),
    module(
      "NearbyInteraction", in: "Apple",
      [
        "ARKit", "CNearbyInteraction", "Combine", "NearbyBluetooth", "NearbyConcurrency", "NearbyDevice",
        "NearbyDeviceMachine", "NearbyEstimation", "NearbyFoundation", "NearbyHome", "NearbySafeArchives",
        "simd",
      ]),
    module("simd", in: "Apple"),
    // `import CoreLocation.CLRegion` and the like.
    .systemLibrary(name: "CNearbyARKit", path: "Sources/Apple/Submodules/CNearbyARKit"),
    .systemLibrary(name: "CNearbyCoreBluetooth", path: "Sources/Apple/Submodules/CNearbyCoreBluetooth"),
    .systemLibrary(name: "CNearbyCoreLocation", path: "Sources/Apple/Submodules/CNearbyCoreLocation"),
    .systemLibrary(name: "CNearbyInteraction", path: "Sources/Apple/Submodules/CNearbyInteraction"),
    .systemLibrary(
      name: "CNearbyMultipeerConnectivity", path: "Sources/Apple/Submodules/CNearbyMultipeerConnectivity"),
    .systemLibrary(name: "CNearbyOSLog", path: "Sources/Apple/Submodules/CNearbyOSLog"),
    .systemLibrary(name: "CNearbyUIKit", path: "Sources/Apple/Submodules/CNearbyUIKit"),
    // Modules that Apple's frameworks re-export; the facades re-export them too.
    module("_Testing_CoreGraphics", in: "AppleShims"),
    module("_Testing_UIKit", in: "AppleShims"),
    module("Combine", in: "AppleShims", ["NearbyConcurrency", "NearbyFoundation"]),
    module("CommonCrypto", in: "AppleShims", ["CNearbyOpenSSL"]),
    module("CoreGraphics", in: "AppleShims", ["_Testing_CoreGraphics", "NearbyFoundation"]),
    module("CryptoKit", in: "AppleShims", ["CNearbyOpenSSL", "CommonCrypto", "NearbyFoundation"]),
    module("NearbyFoundation", in: "AppleShims", ["NearbyConcurrency"]),
    module("NearbySafeArchives", in: "AppleShims", ["NearbyConcurrency"]),
    module("NearbyURLSession", in: "AppleShims"),
    module("os", in: "AppleShims", ["CNearbyOSLog", "NearbyFoundation", "NearbyTextForms"]),
    module("OSLog", in: "AppleShims", ["os"]),
    module("SwiftUI", in: "AppleShims", ["Combine", "NearbyFoundation", "UIKit"]),
    module(
      "UIKit", in: "AppleShims",
      [
        "_Testing_UIKit", "CNearbyUIKit", "CoreGraphics", "NearbyConcurrency", "NearbyDevice", "NearbyHome",
        "NearbySchedule",
      ]),
    module(
      "UserNotifications", in: "AppleShims",
      ["CoreLocation", "NearbyConcurrency", "NearbyDevice", "NearbyFoundation", "NearbyHome"]),
    // Our own API, without Apple's names.
    module(
      "NearbyAccessory", in: "Ours",
      [
        "NearbyAccessoryProtocol", "NearbyBluetooth", "NearbyConcurrency", "NearbyDevice",
        "NearbyDeviceMachine", "NearbyHome",
      ]),
    module(
      "NearbyPeers", in: "Ours",
      [
        "MultipeerConnectivity", "NearbyConcurrency", "NearbyDevice", "NearbyDeviceMachine", "NearbyHome",
        "NearbyInteraction",
      ]),
    module("NearbyPosition", in: "Ours", ["NearbyEstimation", "NearbyMaths", "NearbyStateOctets"]),
    // Linked through NearbyTesting only, so that an app's own program calls libdispatch directly.
    module(
      "NearbyVirtualTime", in: "Simulation",
      ["CNearbyVirtualTime", "NearbyDevice", "NearbySchedule", "NearbySimulated"]),
    module(
      "NearbyTesting", in: "Ours",
      [
        "NearbyAccessorySetup", "NearbyAirs", "NearbyBluetooth", "NearbyDevice", "NearbyDeviceMachine",
        "NearbyEstimation",
        "NearbyExchange", "NearbyInteraction", "NearbyRecordings", "NearbyScenarios", "NearbySchedule",
        "NearbySimulated", "NearbySimulator", "NearbyTextForms", "NearbyUCI", "NearbyVirtualBluetooth",
        "NearbyVirtualTime", "NearbyVirtualUWB", "simd",
      ]),
    module("NearbyTestIssues", in: "Ours", ["NearbyTesting"]),
    example(
      "AccessoryApp", in: "Accessory",
      ["CoreBluetooth", "NearbyAccessory", "NearbyInteraction", "NearbyTesting"]),
    example("Cerca", in: "Cerca", ["MultipeerConnectivity", "NearbyInteraction", "simd"]),
    example("CercaPeers", in: "CercaPeers", ["NearbyPeers"]),
    example("DragonRadar", in: "DragonRadar", ["CoreLocation", "NearbyTesting"]),
    example("ItemFinder", in: "ItemFinder", ["AccessorySetupKit", "CoreBluetooth", "NearbyInteraction"]),
    example(
      "Museum", in: "Museum",
      ["CoreLocation", "NearbyInteraction", "NearbyPosition", "NearbyTesting", "simd"]),
    example("SmartSpeaker", in: "SmartSpeaker", ["AccessoryApp", "NearbyAccessory", "NearbyInteraction"]),
    program(
      "nearby", path: "Sources/Tools/nearby",
      [
        "AccessoryApp", "AccessorySetupKit", "Cerca", "CoreBluetooth", "DragonRadar", "ItemFinder",
        "MultipeerConnectivity", "Museum", "NearbyAccessory",
        "NearbyBeacons", "NearbyBluetooth", "NearbyCampaignQueue", "NearbyCampaigns", "NearbyChipTools",
        "NearbyCommandLine", "NearbyConcurrency", "NearbyDevice", "NearbyDeviceMachine", "NearbyEstimation",
        "NearbyFiles", "NearbyHome", "NearbyInteraction", "NearbyLive", "NearbyMaths", "NearbyMQTT",
        "NearbyNATS",
        "NearbyPeerLink", "NearbyPlots", "NearbyPosition", "NearbyRadioLinks", "NearbyReadings",
        "NearbyRecordings", "NearbyScenarios", "NearbySchedule", "NearbySimulator", "NearbySite",
        "NearbySounding",
        "NearbySourceCheck", "NearbySteppedWorld",
        "NearbyTesting", "NearbyTextForms", "NearbyUCI", "NearbyWorld", "NearbyWorldProtocol", "simd",
        "SmartSpeaker",
      ]),
    // The MQTT client, which only the command links.
    .systemLibrary(
      name: "CNearbyMQTT", path: "Sources/System/CNearbyMQTT", providers: [.apt(["libmosquitto-dev"])]),
    module("NearbyMQTT", in: "System", ["CNearbyMQTT"]),
    module("NearbyReadings", in: "Tools", ["NearbyBeacons", "NearbyFiles", "NearbyTextForms"]),
    module(
      "NearbyCampaignQueue", in: "Tools", ["NearbyCampaigns", "NearbyNATS", "NearbyScenarios"]),
    module(
      "NearbyCampaigns", in: "Tools",
      [
        "NearbyDevice", "NearbyDeviceMachine", "NearbyEstimation", "NearbyFiles", "NearbyKeyDerivation",
        "NearbyMaths", "NearbyScenarios", "NearbySchedule", "NearbySimulated", "NearbySimulator",
        "NearbySteppedWorld", "NearbyTesting", "NearbyTextForms", "NearbyWorld", "NearbyWorldProtocol",
      ]),
    module(
      "NearbySite", in: "Tools",
      [
        "NearbyBeacons", "NearbyMaths", "NearbyPosition", "NearbyReadings", "NearbyScenarios",
        "NearbySchedule", "NearbyStateOctets", "NearbyTextForms",
      ]),
    module("NearbyCommandLine", in: "Tools", ["NearbyConcurrency", "NearbyTextForms"]),
    module(
      "NearbyPlots", in: "Tools",
      ["NearbyCommandLine", "NearbyEstimation", "NearbyRecordings", "NearbyTextForms"]),
    sourceCheck,
  ]
#else
  let facadeProducts: [Product] = []
  let facades: [Target] = [sourceCheck]
#endif

// MARK: Tests, benchmarks, fuzzing

let checks: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["NearbySchedule", "NearbyUCI"], path: "Tests/TestSupport",
    swiftSettings: strict),
  tests("AccessorySetupTests", ["NearbyAccessorySetup", "NearbyBluetooth"]),
  tests("AccessoryTests", ["NearbyAccessoryProtocol", "NearbyDeviceMachine", "NearbyUCI"]),
  tests(
    "AirsTests",
    [
      "NearbyAirs", "NearbyBluetooth", "NearbyExchange", "NearbyScenarios", "NearbySimulator", "NearbyUCI",
      "NearbyVirtualBluetooth", "NearbyVirtualUWB",
    ]),
  tests("BeaconsTests", ["NearbyBeacons", "NearbyBluetooth", "NearbyRecordings"]),
  tests(
    "BlueZTests",
    [
      "AccessorySetupKit", "CoreBluetooth", "NearbyBluetooth", "NearbyBlueZ", "NearbyDevice",
      "NearbyDeviceMachine", "NearbyEventLoop", "NearbyLive",
    ]),
  tests(
    "CampaignTests",
    [
      "nearby", "NearbyCampaignQueue", "NearbyCampaigns", "NearbyCommandLine", "NearbyKeyDerivation",
      "NearbyMaths", "NearbyNATS", "NearbyScenarios", "NearbySchedule", "NearbySimulator",
      "NearbySteppedWorld", "NearbyTestIssues", "NearbyTesting", "NearbyTextForms",
    ]),
  tests("CheckTests", ["NearbySourceCheck"]),
  tests(
    "ChipToolsTests", ["NearbyChipTools", "NearbyRadioLinks", "NearbySimulator", "NearbyUCI"]),
  tests("CombineTests", ["Combine"]),
  tests(
    "CommandTests",
    [
      "AccessoryApp", "Cerca", "MultipeerConnectivity", "nearby", "NearbyAccessory", "NearbyBeacons",
      "NearbyChipTools", "NearbyCommandLine", "NearbyConcurrency", "NearbyDevice", "NearbyFiles",
      "NearbyHome", "NearbyLive", "NearbyMQTT", "NearbyNATS", "NearbyPlots", "NearbyRadioLinks",
      "NearbyReadings",
      "NearbyRecordings", "NearbyScenarios", "NearbySteppedWorld", "NearbyTesting", "NearbyTextForms",
      "NearbyUCI", "NearbyWorld",
    ]),
  tests("ConcurrencyTests", ["NearbyConcurrency"]),
  tests(
    "DeviceMachineTests",
    ["NearbyAccessoryProtocol", "NearbyBluetooth", "NearbyDeviceMachine", "NearbyEstimation", "NearbyUCI"]),
  tests("DeviceTests", ["NearbyDevice"]),
  tests(
    "DocumentationTests",
    [
      "AccessoryApp", "AccessorySetupKit", "ARKit", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity",
      "NearbyAccessory",
      "NearbyInteraction", "NearbyPeers", "NearbyTesting", "simd",
    ]),
  tests("EstimationTests", ["NearbyEstimation", "NearbyRecordings", "NearbySimulator"]),
  tests(
    "FacadeTests",
    [
      "AccessorySetupKit", "ARKit", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity",
      "NearbyAccessory", "NearbyBluetooth", "NearbyInteraction", "NearbySimulated", "NearbyTestIssues",
      "NearbyTesting",
    ]),
  tests("FilesTests", ["NearbyFiles", "NearbyLive"]),
  tests(
    "LiveTests",
    [
      "NearbyAccessorySetup", "NearbyBeacons", "NearbyBluetooth", "NearbyChipTools", "NearbyConcurrency",
      "NearbyDevice", "NearbyDeviceMachine", "NearbyEstimation", "NearbyHome", "NearbyLive", "NearbyNATS",
      "NearbyPeerLink", "NearbyPeerNetwork",
      "NearbyRadioLinks", "NearbyUCI",
    ]),
  tests("OctetsTests", ["NearbyOctets"]),
  tests("PeerLinkTests", ["NearbyPeerLink"]),
  tests("PeerRelayTests", ["NearbyOctets", "NearbyPeerLink", "NearbyPeerRelay"]),
  tests("PeerNetworkTests", ["CNearbyOpenSSL", "NearbyEventLoop", "NearbyPeerNetwork", "PeerHost"]),
  tests(
    "PeerProcessTests",
    ["MultipeerConnectivity", "NearbyPeerLink", "NearbyPeerNetwork", "NearbySchedule", "PeerProbe"]),
  tests("PositionTests", ["NearbyPosition", "NearbySchedule"]),
  tests("RadioLinksTests", ["NearbyRadioLinks"]),
  tests(
    "SafeArchivesTests",
    ["ARKit", "MultipeerConnectivity", "NearbyInteraction", "NearbySafeArchives", "NearbyTesting"]),
  tests(
    "ScenarioTests",
    [
      "AccessoryApp", "AccessorySetupKit", "Cerca", "CercaPeers", "CoreBluetooth", "CoreLocation",
      "DragonRadar", "ItemFinder", "MultipeerConnectivity", "Museum", "NearbyAccessory", "NearbyInteraction",
      "NearbyPeers", "NearbyPosition", "NearbyScenarios", "NearbySimulator", "NearbyTesting", "simd",
      "SmartSpeaker",
    ]),
  tests("ScheduleTests", ["NearbyMaths", "NearbySchedule"]),
  tests(
    "ShimTests",
    [
      "CommonCrypto", "CoreLocation", "CryptoKit", "MultipeerConnectivity", "NearbyTesting",
      "NearbyURLSession", "os", "SwiftUI", "UIKit", "UserNotifications",
    ]),
  tests(
    "SimulatedTests",
    ["NearbyDevice", "NearbyDeviceMachine", "NearbySimulated", "NearbySimulator", "NearbyVirtualUWB"]),
  tests(
    "SimulatorTests",
    [
      "NearbyExchange", "NearbyMaths", "NearbyRecordings", "NearbyScenarios", "NearbySchedule",
      "NearbySimulator",
    ]),
  tests("ReadingsTests", ["NearbyBeacons", "NearbyBluetooth", "NearbyFiles", "NearbyReadings"]),
  tests(
    "SiteTests",
    [
      "nearby", "NearbyCommandLine", "NearbyMaths", "NearbyNATS", "NearbyPosition", "NearbyReadings",
      "NearbyScenarios", "NearbySchedule", "NearbySite", "NearbyStateOctets",
    ]),
  tests("SoundingTests", ["NearbyEstimation", "NearbyRecordings", "NearbySchedule", "NearbySounding"]),
  tests("StateOctetsTests", ["NearbyStateOctets"]),
  tests("UCITests", ["NearbyUCI", "NearbyUCIText"]),
  tests("VirtualBluetoothTests", ["NearbyBluetooth", "NearbyVirtualBluetooth"]),
  tests(
    "SteppedWorldTests", ["NearbyScenarios", "NearbySteppedWorld", "NearbyWorld", "StepProbe"]),
  tests(
    "VirtualTimeTests",
    [
      "CNearbyVirtualTime", "Combine", "NearbyDevice", "NearbyInteraction", "NearbyScenarios",
      "NearbyTesting", "NearbyVirtualTime", "UIKit",
    ]),
  tests("VirtualUWBTests", ["NearbyEstimation", "NearbyExchange", "NearbyUCI", "NearbyVirtualUWB"]),
  tests(
    "WorldTests",
    [
      "AccessoryApp", "AccessorySetupKit", "CoreBluetooth", "CoreLocation", "ItemFinder", "NearbyAccessory",
      "NearbyAirs", "NearbyBluetooth", "NearbyDevice", "NearbyInteraction", "NearbyLive", "NearbyRadioLinks",
      "NearbyScenarios", "NearbySimulated", "NearbySimulator", "NearbyUCI", "NearbyWorld",
      "NearbyWorldProtocol", "SmartSpeaker",
    ]),
  tests("simdTests", ["simd"]),
  // Set up like an app written before Swift 6, without this package's strict settings.
  .testTarget(
    name: "SourceCompatibilityTests",
    dependencies: [
      "AccessorySetupKit", "ARKit", "Combine", "CommonCrypto", "CoreBluetooth", "CoreGraphics",
      "CoreLocation", "CryptoKit", "MultipeerConnectivity", "NearbyInteraction", "NearbyTesting", "os",
      "OSLog", "simd", "SwiftUI", "UIKit", "UserNotifications",
    ],
    swiftSettings: [.swiftLanguageMode(.v5)]),
  // A peer in a separate process.
  program("PeerHost", path: "Tests/PeerHost", ["NearbyPeerNetwork"]),
  program(
    "StepProbe", path: "Tests/StepProbe", ["CNearbyLinux", "MultipeerConnectivity", "NearbyInteraction"]),
  program("PeerProbe", path: "Tests/PeerProbe", ["MultipeerConnectivity", "NearbySchedule"]),
  // A process that uses Bluetooth, for `make test-bluetooth`.
  program(
    "BluetoothProbe", path: "Tests/BluetoothProbe",
    [
      "AccessoryApp", "CoreBluetooth", "CoreLocation", "NearbyBluetooth", "NearbyBlueZ", "NearbyDevice",
      "NearbyInteraction", "NearbyLive",
    ]),
  program(
    "NearbyBenchmarks", path: "Benchmarks/NearbyBenchmarks",
    [
      "AccessoryApp", "CNearbyOpenSSL", "CoreLocation", "MultipeerConnectivity", "NearbyAccessory",
      "NearbyBeacons",
      "NearbyBluetooth", "NearbyDevice", "NearbyDeviceMachine", "NearbyEstimation", "NearbyExchange",
      "NearbyInteraction", "NearbyLive", "NearbyNATS", "NearbyPeerLink", "NearbyPeerNetwork",
      "NearbyPeerRelay", "NearbyPosition",
      "NearbyRadioLinks", "NearbyReadings", "NearbyRecordings", "NearbySchedule", "NearbySimulator",
      "NearbySite", "NearbySourceCheck", "NearbyTesting", "NearbyUCI", "NearbyVirtualUWB",
      "NearbyWorldProtocol", "simd",
    ]),
  program(
    "NearbyFuzz", path: "Fuzz/NearbyFuzz",
    [
      "NearbyAccessorySetup", "CNearbyLinux", "MultipeerConnectivity", "NearbyAccessoryProtocol",
      "NearbyBeacons", "NearbyBluetooth",
      "NearbyBlueZ", "NearbyDeviceMachine", "NearbyExchange", "NearbyInteraction", "NearbyLive",
      "NearbyPeerLink", "NearbyPeerNetwork", "NearbyPeerRelay", "NearbyRadioLinks", "NearbyReadings",
      "NearbyRecordings", "NearbyScenarios", "NearbySchedule", "NearbySimulator", "NearbySite",
      "NearbySounding", "NearbySourceCheck", "NearbyUCI",
      "NearbyVirtualUWB", "NearbyWorld", "NearbyWorldProtocol",
    ]),
]

let targets = leaves + engines + simulation + system + devices + world + chipTools

// Not meant for use. An app may have a target with the same name as one of ours, even though ours begin with `Nearby`,
// and SwiftPM can rename (`moduleAliases`) only the targets of products and their direct dependencies.
let renamable = targets.filter { $0.type == .regular && $0.name != "NearbyWorld" }

let package = Package(
  name: "swift-nearby",
  products: facadeProducts + [
    .library(name: "_NearbyEngines", targets: renamable.map(\.name)),
    .library(name: "NearbyProgramTime", type: .dynamic, targets: [programTime.name]),
  ],
  targets: targets + [steppedWorld, programTime] + facades + checks
)
