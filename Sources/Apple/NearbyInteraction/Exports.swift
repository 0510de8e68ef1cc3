@_exported import Combine
// Apple's module brings these along, and apps rely on it: `facts/real-apps.md`. Nothing here uses Combine.
@_exported import NearbyFoundation
@_exported import NearbySafeArchives
@_exported import simd
