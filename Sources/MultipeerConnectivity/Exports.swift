// Apple's module brings this along, and app code relies on it.
@_exported import Foundation
