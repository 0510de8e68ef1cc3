// Apple's module brings these along, and apps rely on it: `facts/real-apps.md`.
@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
