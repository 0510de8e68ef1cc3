import Foundation

/// An image, without pixels: a value that code without views can create and pass on.
open class UIImage: NSObject, @unchecked Sendable {
  // All stored properties are immutable.
  private let symbol: String?

  /// Creates an empty image.
  public override init() {
    symbol = nil
    super.init()
  }

  /// Creates an empty image for the name of a system symbol; never `nil` here.
  public init?(systemName name: String) {
    symbol = name
    super.init()
  }
}
