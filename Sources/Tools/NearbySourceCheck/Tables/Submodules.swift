/// Parts of this package's modules that can be imported separately, as in `import os.log`. A test compares
/// them with the module maps.
enum Submodules {
  static let there: [String: Set<String>] = [
    "os": ["log", "signpost"],
    "CoreLocation": [
      "CLBeaconIdentityConstraint", "CLBeaconRegion", "CLCircularRegion", "CLError", "CLErrorDomain",
      "CLGeocoder", "CLHeading", "CLLocation", "CLLocationManager", "CLLocationManagerDelegate",
      "CLPlacemark", "CLRegion", "CLVisit",
    ],
    "MultipeerConnectivity": [
      "MCPeerID", "MCSession", "MCNearbyServiceAdvertiser", "MCNearbyServiceBrowser",
      "MCAdvertiserAssistant", "MCError",
    ],
    "NearbyInteraction": [
      "NISession", "NIAlgorithmConvergence", "NIConfiguration", "NIDeviceCapability",
      "NIDiscoveryToken", "NIError", "NINearbyObject",
    ],
    "CoreBluetooth": [
      "CBPeripheral", "CBAdvertisementData", "CBATTRequest", "CBAttribute", "CBCentral",
      "CBCentralManager", "CBCentralManagerConstants", "CBCharacteristic", "CBDescriptor", "CBError",
      "CBL2CAPChannel", "CBManager", "CBPeer", "CBPeripheralManager", "CBPeripheralManagerConstants",
      "CBService", "CBUUID",
    ],
    "ARKit": [
      "ARSession", "ARAnchor", "ARCamera", "ARCollaborationData", "ARConfiguration", "ARError",
      "ARFrame", "ARLightEstimate", "ARPointCloud", "ARTrackable", "ARTrackingStatusTypes",
      "ARWorldMap",
    ],
    "UIKit": ["UIDevice", "UIApplication", "UIResponder", "UIViewController"],
  ]

  static func isThere(_ module: String, _ part: String) -> Bool { there[module]?.contains(part) ?? false }
}
