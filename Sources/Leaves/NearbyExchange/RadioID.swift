/// A radio on a shared air, numbered in the order of joining.
///
/// The number of a chip on its air may differ from the number of its radio in a simulated world.
@usableFromInline
package struct RadioID: Hashable, Sendable, Comparable {
  @usableFromInline package var index: Int
  @inlinable package init(index: Int) { self.index = index }
  @inlinable package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}
