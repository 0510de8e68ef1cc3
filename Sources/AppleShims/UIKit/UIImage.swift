import Foundation

/// An image, without pixels: a value that code without views can create and pass on.
open class UIImage: NSObject, @unchecked Sendable {
  // All stored properties are immutable.
  private let symbol: String?
  private let asset: String?

  /// Creates an empty image.
  public override init() {
    (symbol, asset) = (nil, nil)
    super.init()
  }

  /// Creates an empty image for the name of a system symbol; never `nil` here.
  public init?(systemName name: String) {
    (symbol, asset) = (name, nil)
    super.init()
  }

  /// Creates an empty image for the name of a picture in the app's bundle; never `nil` here.
  public init?(named name: String) {
    (symbol, asset) = (nil, name)
    super.init()
  }
}
