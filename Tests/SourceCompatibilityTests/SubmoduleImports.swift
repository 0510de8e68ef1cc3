// Imports of submodules, as apps write them.
import ARKit.ARSession
import CoreBluetooth.CBPeripheral
import CoreLocation.CLRegion
import Foundation
import MultipeerConnectivity.MCPeerID
import NearbyInteraction.NISession
import OSLog
import SwiftUI
import UIKit.UIDevice
import os.log

import class CoreLocation.CLBeaconRegion
import class MultipeerConnectivity.MCSession
import struct os.Logger

/// Uses what these imports provide.
enum SubmoduleImports {
  static let logger = Logger(subsystem: "com.example.app", category: "imports")
  static func all(
    _ session: NISession, _ camera: ARSession, _ region: CLRegion, _ peripheral: CBPeripheral
  ) -> [NSObject] { [session, camera, region, peripheral] }
  static func peer() -> MCPeerID { MCPeerID(displayName: "imported") }
}

/// A model for SwiftUI views, which are elsewhere.
final class ViewModel: ObservableObject {
  @Published var text = ""
}
