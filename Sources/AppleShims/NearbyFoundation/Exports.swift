// The modules that Apple's Foundation re-exports. Facades and shims re-export this module, so that a file
// that imports one of them sees the same names as on Apple's systems.
@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
