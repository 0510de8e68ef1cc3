// Imports of parts of modules, as apps have them.
import Foundation
import MultipeerConnectivity.MCPeerID
import OSLog
import SwiftUI
import os.log

import class MultipeerConnectivity.MCSession
import struct os.Logger

/// Uses what they bring.
enum SubmoduleImports {
  static let logger = Logger(subsystem: "com.example.app", category: "imports")
  static func peer() -> MCPeerID { MCPeerID(displayName: "imported") }
}

/// A model for SwiftUI's views, which are elsewhere.
final class ViewModel: ObservableObject {
  @Published var text = ""
}
