// swift-tools-version: 5.9
import PackageDescription
let package = Package(
  name: "Beacons", platforms: [.iOS(.v16)],
  targets: [.target(name: "Ranging"), .testTarget(name: "RangingTests", dependencies: ["Ranging"])])
