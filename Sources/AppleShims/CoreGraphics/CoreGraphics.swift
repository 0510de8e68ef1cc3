// The geometry that Core Graphics has and that Foundation has on Linux: CGFloat, CGPoint, CGSize, CGRect, CGVector.
// Nothing that draws.
@_exported import NearbyFoundation

/// A direction and a length on a plane.
public struct CGVector: Hashable, Codable, Sendable {
  /// To the right.
  public var dx: CGFloat
  /// Up or down, by the plane's axes.
  public var dy: CGFloat
  /// No direction.
  public static let zero = CGVector()
  /// No direction.
  public init() { self.init(dx: 0, dy: 0) }
  /// Makes one of its parts.
  public init(dx: CGFloat, dy: CGFloat) {
    self.dx = dx
    self.dy = dy
  }
  /// Makes one of its parts.
  public init(dx: Double, dy: Double) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }
  /// Makes one of its parts.
  public init(dx: Int, dy: Int) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }
}
