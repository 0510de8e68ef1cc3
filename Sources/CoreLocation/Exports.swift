// Apple's module brings these along, and apps rely on it. Nothing here uses Combine.
@_exported import AppleFoundation
@_exported import Combine
@_exported import SafeArchives
