import NearbyMaths

/// Sums over ranges, four of them at a time.
struct RangeSums {
  /// The columns whose products are summed: the three derivatives by the antenna's shift, the state's eight, the
  /// residual, and last the second antenna, whose products are zero unless there is one.
  private enum Column {
    static let state = 3
    static let residual = 11
    static let second = 12
    static let count = 13
  }

  /// Upper triangle of the columns' products, row by row: 13 of the first, 12 of the second and so on.
  private var products = InlineArray<91, Lanes>(repeating: .zero)
  private var hasSecond = false
  private var cost = Lanes.zero
  private var weight = Lanes.zero
  private var outlying = Lanes.zero
  private var age = Lanes.zero
  private var way = Lanes.zero

  /// Adds ranges.
  ///
  /// - Parameter weighs: Whether to sum the cost, which only the evidence needs.
  mutating func add(_ terms: RangeTerms, weighs: Bool) {
    hasSecond = hasSecond || terms.isSecond != .zero
    addProducts(terms)
    age += terms.information * terms.age
    way += terms.information * terms.way
    weight += terms.weight
    outlying += terms.weight.replacing(with: 0, where: terms.ratio .<= Lanes(repeating: 9))
    if weighs {
      let half = Lanes(repeating: 0.5)
      let (one, freedom) = (Lanes(repeating: 1), terms.freedom)
      let tail = (freedom + one) * Maths.quickLog(one + terms.ratio / freedom)
      cost += terms.weight * half * (tail + Maths.quickLog(terms.variance))
    }
  }

  @inline(__always)
  private mutating func addProducts(_ terms: RangeTerms) {
    let columns: InlineArray<13, Lanes> = [
      terms.side.x, terms.side.y, terms.side.z, terms.jacobian[0], terms.jacobian[1], terms.jacobian[2],
      terms.jacobian[3], terms.jacobian[4], terms.jacobian[5], terms.jacobian[6], terms.jacobian[7],
      terms.residual, terms.isSecond,
    ]
    let last = hasSecond ? Column.second : Column.residual
    // Spans, because subscripts of the arrays copy them. One call a row, so that the compiler knows its place.
    let factors = columns.span
    var products = products.mutableSpan
    Self.add(row: 0, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 1, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 2, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 3, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 4, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 5, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 6, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 7, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 8, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 9, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 10, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 11, of: factors, to: last, terms.information, to: &products)
    Self.add(row: 12, of: factors, to: last, terms.information, to: &products)
  }

  @inline(__always)
  private static func add(
    row: Int, of factors: Span<Lanes>, to last: Int, _ information: Lanes,
    to products: inout MutableSpan<Lanes>
  ) {
    let scaled = factors[row] * information
    let start = start(row)
    if row <= Column.residual {
      for column in row...Column.residual { products[start + column] += scaled * factors[column] }
    }
    if last == Column.second { products[start + Column.second] += scaled * factors[Column.second] }
  }

  /// Where column 0 of a row would be in `products`.
  @inline(__always)
  private static func start(_ row: Int) -> Int { row * (2 * Column.count - 1 - row) / 2 }

  /// Adds the sums to those of a fit, except to its equations.
  ///
  /// - Parameter sigma: Standard deviation of a range, metres.
  func fold(into sums: inout HypothesisSolver.Sums, sigma: Double) {
    sums.square += products.span[Self.start(Column.residual) + Column.residual].sum() * sigma * sigma
    // The derivative by the bias is 1.
    let bias = Column.state + 3
    sums.information += products.span[Self.start(bias) + bias].sum()
    sums.cost += cost.sum()
    sums.weight += weight.sum()
    sums.outlying += outlying.sum()
    sums.age += age.sum()
    sums.way += way.sum()
  }

  /// Adds the sums to equations.
  func fold(into equations: inout NormalEquations) {
    let products = products.span
    Self.fold(side: 0, products, into: &equations)
    Self.fold(side: 1, products, into: &equations)
    Self.fold(side: 2, products, into: &equations)
    // One call a row, so that the compiler knows its place.
    var gradient = SIMD8<Double>.zero
    Self.fold(row: 0, products, into: &equations.matrix, &gradient)
    Self.fold(row: 1, products, into: &equations.matrix, &gradient)
    Self.fold(row: 2, products, into: &equations.matrix, &gradient)
    Self.fold(row: 3, products, into: &equations.matrix, &gradient)
    Self.fold(row: 4, products, into: &equations.matrix, &gradient)
    Self.fold(row: 5, products, into: &equations.matrix, &gradient)
    Self.fold(row: 6, products, into: &equations.matrix, &gradient)
    Self.fold(row: 7, products, into: &equations.matrix, &gradient)
    equations.matrix.fillLower()
    equations.gradient += gradient
    if hasSecond { foldSecond(products, into: &equations) }
  }

  @inline(__always)
  private static func fold(side: Int, _ products: Span<Lanes>, into equations: inout NormalEquations) {
    let start = start(side)
    equations.matrix.addSide(eight(products, start + Column.state), side)
    for other in side..<3 { equations.matrix.addCorner(products[start + other].sum(), side, other) }
    equations.sideGradient[side] += products[start + Column.residual].sum()
  }

  @inline(__always)
  private static func fold(
    row: Int, _ products: Span<Lanes>, into matrix: inout NormalMatrix, _ gradient: inout SIMD8<Double>
  ) {
    let start = start(Column.state + row)
    // Columns before the diagonal are other rows' products here; `fillLower` replaces them.
    matrix.addRow(eight(products, start + Column.state), row)
    gradient[row] = products[start + Column.residual].sum()
  }

  private func foldSecond(_ products: Span<Lanes>, into equations: inout NormalEquations) {
    func product(_ row: Int) -> Double { products[Self.start(row) + Column.second].sum() }
    var coupling = SIMD8<Double>.zero
    for row in 0..<8 { coupling[row] = product(Column.state + row) }
    equations.matrix.addSide(coupling, 3)
    for other in 0..<3 { equations.matrix.addCorner(product(other), other, 3) }
    equations.matrix.addCorner(product(Column.second), 3, 3)
    equations.sideGradient[3] += product(Column.residual)
  }

  /// The sums over the lanes of eight products.
  @inline(__always)
  private static func eight(_ products: Span<Lanes>, _ start: Int) -> SIMD8<Double> {
    SIMD8(
      lowHalf: four(products[start], products[start + 1], products[start + 2], products[start + 3]),
      highHalf: four(products[start + 4], products[start + 5], products[start + 6], products[start + 7]))
  }

  @inline(__always)
  private static func four(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
    let ab = Lanes(lowHalf: a.lowHalf + a.highHalf, highHalf: b.lowHalf + b.highHalf)
    let cd = Lanes(lowHalf: c.lowHalf + c.highHalf, highHalf: d.lowHalf + d.highHalf)
    return Lanes(lowHalf: ab.evenHalf + ab.oddHalf, highHalf: cd.evenHalf + cd.oddHalf)
  }
}
