// The C maths library lane by lane. Angles are radians, results as those of the scalar functions.

/// The sine of each lane.
@inlinable public func sin<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { sin($0) }
}

/// The cosine of each lane.
@inlinable public func cos<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { cos($0) }
}

/// The tangent of each lane.
@inlinable public func tan<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { tan($0) }
}

/// The arc sine of each lane, −π/2...π/2; NaN outside −1...1.
@inlinable public func asin<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { asin($0) }
}

/// The arc cosine of each lane, 0...π; NaN outside −1...1.
@inlinable public func acos<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { acos($0) }
}

/// The arc tangent of each lane, −π/2...π/2.
@inlinable public func atan<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { atan($0) }
}

/// e to the power of each lane.
@inlinable public func exp<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { exp($0) }
}

/// The natural logarithm of each lane; NaN below zero.
@inlinable public func log<V: SIMD>(_ x: V) -> V where V.Scalar == Float {
  x.mapped { log($0) }
}

/// The angle of each point (x, y) from the x axis, −π...π. The y coordinate comes first.
@inlinable public func atan2<V: SIMD>(_ y: V, _ x: V) -> V where V.Scalar == Float {
  y.mapped(with: x) { atan2($0, $1) }
}

/// Each lane of `x` to the power of its lane of `y`.
@inlinable public func pow<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar == Float {
  x.mapped(with: y) { pow($0, $1) }
}
