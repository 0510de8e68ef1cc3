// What Apple's Foundation brings along. The facades and shims re-export this module, so that a file which imports one
// of them sees what it sees on Apple's systems.
@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
