extension SIMD {
  /// The vector of the results of `function` for each lane.
  @inlinable @inline(__always)
  func mapped(_ function: (Scalar) -> Scalar) -> Self {
    var result = self
    for lane in indices { result[lane] = function(self[lane]) }
    return result
  }

  /// The vector of the results of `function` for each pair of lanes.
  @inlinable @inline(__always)
  func mapped(with other: Self, _ function: (Scalar, Scalar) -> Scalar) -> Self {
    var result = self
    for lane in indices { result[lane] = function(self[lane], other[lane]) }
    return result
  }
}
