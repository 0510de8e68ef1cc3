@_exported import Combine
// Apple's module re-exports these modules and apps rely on it; nothing in this module uses Combine.
@_exported import NearbyFoundation
@_exported import NearbySafeArchives
@_exported import UIKit
