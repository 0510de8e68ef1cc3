// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "meeting",
  dependencies: [.package(path: "../swift-nearby")],
  targets: [
    .testTarget(
      name: "MeetingTests",
      dependencies: [
        .product(name: "NearbyInteraction", package: "swift-nearby"),
        .product(name: "NearbyTesting", package: "swift-nearby"),
      ])
  ]
)
