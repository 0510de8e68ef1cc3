extension AsyncSequence where Element == PositionMeasurement, Self: Sendable {
  /// The positions that measurements give, one estimate for each measurement.
  ///
  ///     for try await estimate in measurements.positions(with: solver) {
  ///       if let position = estimate.position { show(position) }
  ///     }
  ///
  /// - Parameter solver: Starts from its state.
  public func positions(with solver: PositionSolver) -> PositionUpdates<Self> {
    PositionUpdates(base: self, solver: solver)
  }
}

/// Estimates as an asynchronous sequence, computed when the next one is requested.
public struct PositionUpdates<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element == PositionMeasurement {
  /// One estimate for each measurement.
  public typealias Element = PositionEstimate
  let base: Base
  let solver: PositionSolver

  /// Iterates over the estimates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    var solver: PositionSolver

    /// Waits for a measurement; `nil` after the last one.
    public mutating func next() async throws -> PositionEstimate? {
      guard let measurement = try await base.next() else { return nil }
      solver.add(measurement)
      return solver.estimate()
    }

    /// Waits for a measurement; `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Base.Failure) -> PositionEstimate? {
      guard let measurement = try await base.next(isolation: actor) else { return nil }
      solver.add(measurement)
      return solver.estimate()
    }
  }

  /// The failure of the measurements.
  public typealias Failure = Base.Failure

  /// Starts with the first measurement that the base delivers.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), solver: solver)
  }
}
