@_exported import Combine
// Apple's module brings these along, and apps rely on it. Nothing here uses Combine.
@_exported import NearbyFoundation
@_exported import NearbySafeArchives
