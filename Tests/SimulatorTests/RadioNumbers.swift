import NearbyExchange

/// Creates a radio from its number in the world: `ExchangePlan(initiator: 0, responder: 1, …)`.
extension RadioID: ExpressibleByIntegerLiteral {
  /// The radio with this number.
  public init(integerLiteral index: Int) { self.init(index: index) }
}
