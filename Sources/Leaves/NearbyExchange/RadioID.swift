/// One radio among those that share an air, by the order in which it joined.
///
/// A chip's number on its air and its radio's number in a simulated world need not be equal.
@usableFromInline
package struct RadioID: Hashable, Sendable, Comparable {
  @usableFromInline package var index: Int
  @inlinable package init(index: Int) { self.index = index }
  @inlinable package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}
