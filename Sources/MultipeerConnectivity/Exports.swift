// Apple's module brings these along, and app code relies on it. Nothing here uses Combine.
@_exported import AppleFoundation
@_exported import Combine
@_exported import SafeArchives
@_exported import UIKit
