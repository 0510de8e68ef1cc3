@_exported import Combine
// The modules that Apple's SwiftUI re-exports, for code without views. There are no views here.
@_exported import NearbyFoundation
@_exported import UIKit
