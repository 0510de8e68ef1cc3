// Apple's module brings these along, and app code relies on it. Nothing here uses UIKit.
@_exported import AppleFoundation
@_exported import SafeArchives
@_exported import UIKit
@_exported import simd
