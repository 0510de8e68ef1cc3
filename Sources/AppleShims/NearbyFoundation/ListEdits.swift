import Foundation

// How lists edit their data: `onDelete` and `onMove` pass offsets. On Apple's systems these members are SwiftUI's and
// visible to every file of an app that imports it anywhere; views, which import it, are not compiled here.
extension RangeReplaceableCollection where Self: MutableCollection {
  /// Removes the elements at these offsets, counted from the start; each must be less than `count`.
  public mutating func remove(atOffsets offsets: IndexSet) {
    guard let last = offsets.last else { return }
    precondition(last < count, "offset \(last) of a collection of \(count)")
    for range in offsets.rangeView.reversed() {
      let start = index(startIndex, offsetBy: range.lowerBound)
      removeSubrange(start..<index(start, offsetBy: range.count))
    }
  }
}

extension MutableCollection {
  /// Moves the elements at these offsets in front of the element at another offset, in their order.
  ///
  /// - Parameters:
  ///   - source: Offsets from the start, each less than `count`.
  ///   - destination: An offset in the collection as it is before the move, 0 to `count`.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let old = Array(self)
    precondition(source.allSatisfy { $0 < old.count }, "offsets of a collection of \(old.count)")
    precondition((0...old.count).contains(destination), "offset \(destination), not 0 to \(old.count)")
    let moved = source.map { old[$0] }
    let kept = { (range: Range<Int>) in range.filter { !source.contains($0) }.map { old[$0] } }
    let new = kept(0..<destination) + moved + kept(destination..<old.count)
    for (position, element) in zip(indices, new) { self[position] = element }
  }
}
