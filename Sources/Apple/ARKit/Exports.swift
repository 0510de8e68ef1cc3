// Apple's module re-exports these modules and apps rely on it; nothing in this module uses UIKit.
@_exported import NearbyFoundation
@_exported import NearbySafeArchives
@_exported import UIKit
@_exported import simd
