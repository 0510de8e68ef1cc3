/// Parts of modules that can be imported by themselves here, as `import os.log` does.
enum Submodules {
  private static let there: [String: Set<String>] = [
    "os": ["log", "signpost"],
    "CoreLocation": [
      "CLBeaconRegion", "CLCircularRegion", "CLError", "CLGeocoder", "CLHeading", "CLLocation",
      "CLLocationManager", "CLLocationManagerDelegate", "CLPlacemark", "CLRegion", "CLVisit",
    ],
    "MultipeerConnectivity": [
      "MCPeerID", "MCSession", "MCNearbyServiceAdvertiser", "MCNearbyServiceBrowser", "MCAdvertiserAssistant",
      "MCError",
    ],
  ]

  static func isThere(_ module: String, _ part: String) -> Bool { there[module]?.contains(part) ?? false }
}
