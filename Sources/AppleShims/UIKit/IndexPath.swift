import Foundation

// Index paths of table and collection views: a section, and a row or item in it.
extension IndexPath {
  /// Creates the index path of a table's row.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// Creates the index path of a collection's item.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The section. The index path must have two indexes.
  public var section: Int {
    get { index(0) }
    set { self[checked(0)] = newValue }
  }

  /// The row of a table. The index path must have two indexes.
  public var row: Int {
    get { index(1) }
    set { self[checked(1)] = newValue }
  }

  /// The item of a collection. The index path must have two indexes.
  public var item: Int {
    get { index(1) }
    set { self[checked(1)] = newValue }
  }

  private func index(_ position: Int) -> Int { self[checked(position)] }

  private func checked(_ position: Int) -> Int {
    precondition(
      count == 2, "an index path of a view has a section and a row or item, this one has \(count) indexes")
    return position
  }
}
