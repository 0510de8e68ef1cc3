/// A map of the world. It holds only the app's anchors, because nothing here captures images.
///
/// Source: Apple's documentation of `ARWorldMap`.
public final class ARWorldMap: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // `@unchecked Sendable`: the app changes `anchors` only before handing the map over.
  /// The app's anchors.
  public var anchors: [ARAnchor]
  /// Always the origin.
  public var center: simd_float3 { .zero }
  /// Always zero.
  public var extent: simd_float3 { .zero }
  /// Always empty.
  public var rawFeaturePoints: ARPointCloud { ARPointCloud(points: [], identifiers: []) }

  init(anchors: [ARAnchor]) {
    self.anchors = anchors
    super.init()
  }

  /// Returns a map with the same anchors.
  public func copy(with zone: NSZone? = nil) -> Any { ARWorldMap(anchors: anchors) }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an archived map.
  public required init?(coder: NSCoder) {
    guard let list = coder.decodeObject(of: [NSArray.self, ARAnchor.self], forKey: "anchors") as? NSArray
    else { return nil }
    anchors = list.compactMap { $0 as? ARAnchor }
    super.init()
  }

  /// Writes the map.
  public func encode(with coder: NSCoder) { coder.encode(anchors as NSArray, forKey: "anchors") }
}
