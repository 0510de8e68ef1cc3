// Apple's module brings these along, and app code relies on it.
@_exported import Foundation
@_exported import simd
