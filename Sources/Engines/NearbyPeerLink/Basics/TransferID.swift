/// Identifies a resource or stream of one connection; the leader's numbers are even, the follower's odd.
package struct TransferID: Hashable, Comparable, Sendable {
  package let number: UInt32

  package init(number: UInt32) { self.number = number }

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
