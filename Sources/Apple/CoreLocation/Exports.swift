@_exported import Combine
// Apple's module re-exports these, and apps rely on it. Nothing in this module uses Combine.
@_exported import NearbyFoundation
@_exported import NearbySafeArchives
