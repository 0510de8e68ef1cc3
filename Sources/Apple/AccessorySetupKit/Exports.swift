// Apple's module re-exports CoreBluetooth's identifiers and UIKit's images, which its own declarations use.
@_exported import CoreBluetooth
@_exported import NearbyFoundation
@_exported import UIKit
