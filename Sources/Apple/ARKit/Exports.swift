// Apple's module brings these along, and app code relies on it. Nothing here uses UIKit.
@_exported import NearbyFoundation
@_exported import NearbySafeArchives
@_exported import UIKit
@_exported import simd
