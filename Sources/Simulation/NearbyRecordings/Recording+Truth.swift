extension Recording {
  /// The true range of every row: as recorded, or else computed from the true path, the antenna's lever arm
  /// and the object's position.
  ///
  /// The object's position comes from `objects` (`objects_gt.csv`), or else from the row's own `gt_x_m`,
  /// `gt_y_m` and `gt_z_m`; without a recorded height, the object is taken to be level with the device. `nil`
  /// if something is missing or the time lies outside the path.
  package func trueRanges() -> [Double?] {
    let places = Dictionary(objects.map { ($0.name, $0.position) }) { first, _ in first }
    let arms = Dictionary(tags.map { ($0.name, $0.position) }) { first, _ in first }
    let columns = (usable("gt_x_m"), usable("gt_y_m"), usable("gt_z_m"))
    var segment = 0
    return ranges.enumerated().map { row, entry in
      if let recorded = entry.trueRange { return recorded }
      guard let pose = truePose(at: entry.time, from: &segment) else { return nil }
      var object = places[entry.object]
      if object == nil, let x = columns.0?[row], let y = columns.1?[row], x.isFinite, y.isFinite {
        object = SIMD3(x, y, columns.2?[row] ?? pose.position.z)
      }
      guard let object else { return nil }
      let arm = entry.tag.flatMap { arms[$0] } ?? .zero
      let across = object - pose.position - Self.rotated(arm, by: pose.orientation)
      return (across * across).sum().squareRoot()
    }
  }

  /// The numbers of an extra column, if it has one for every range.
  private func usable(_ column: String) -> [Double]? {
    guard let numbers = numbers(column), numbers.count == ranges.count else { return nil }
    return numbers
  }

  /// The true pose at a time, with an interpolated position; `segment` caches the last position in the path.
  private func truePose(at time: Duration, from segment: inout Int) -> RecordedPose? {
    guard let first = truePath.first, let last = truePath.last, time >= first.time, time <= last.time
    else { return nil }
    while segment + 2 < truePath.count, truePath[segment + 1].time < time { segment += 1 }
    guard segment + 1 < truePath.count else { return first }
    let (before, after) = (truePath[segment], truePath[segment + 1])
    let span = after.time - before.time
    let share = span > .zero ? (time - before.time) / span : 0
    // At 20 Hz, using the nearer of two orientations moves an antenna by millimetres only.
    return RecordedPose(
      time: time, position: before.position + share * (after.position - before.position),
      orientation: share < 0.5 ? before.orientation : after.orientation)
  }

  /// Rotates a vector by a unit quaternion x, y, z, w.
  static func rotated(_ v: SIMD3<Double>, by q: SIMD4<Double>) -> SIMD3<Double> {
    let u = SIMD3(q.x, q.y, q.z)
    let t = 2 * cross(u, v)
    return v + q.w * t + cross(u, t)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
