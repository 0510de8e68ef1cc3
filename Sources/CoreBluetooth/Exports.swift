// Apple's module brings these along, and apps rely on it.
@_exported import Dispatch
@_exported import Foundation
