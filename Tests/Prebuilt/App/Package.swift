// swift-tools-version: 6.0
import PackageDescription

// An app's package that names no dependency: the toolset of Scripts/prebuild brings the modules.
let package = Package(
  name: "App",
  targets: [
    .target(name: "App"),
    .executableTarget(name: "Live", dependencies: ["App"]),
    .testTarget(name: "AppTests", dependencies: ["App"]),
  ],
  swiftLanguageModes: [.v5])
