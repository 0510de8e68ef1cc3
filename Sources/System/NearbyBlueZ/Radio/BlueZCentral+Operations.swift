import NearbyBluetooth
import NearbyEventLoop

/// Operations on the attributes of a connected device.
extension BlueZCentral {
  package typealias Completion<Value> = (Result<Value, GATTFailure>) -> Void

  /// Longer than the attribute protocol's own timeout of 30 s, because a pairing may come first.
  private static let limit = Duration.seconds(40)
  private static let pairLimit = Duration.seconds(60)
  /// Interval between retries of reading the table, while objects are still missing.
  private static let retryDelay = Duration.milliseconds(200)
  private static let retryLimit = 10

  /// Discovers the device's complete attribute table.
  package func discover(_ device: String, _ completion: @escaping Completion<[GATTService]>) {
    guard isConnected(device) else { return finishLater(completion, .failure(.notConnected)) }
    guard property("ServicesResolved", of: device)?.boolValue != true else {
      return readTable(device, Self.retryLimit, completion)
    }
    var isOver = false
    let alarm = daemon.loop.schedule(after: Self.resolveLimit) {
      isOver = true
      completion(.failure(.timedOut))
    }
    links[device]?.waitingForServices.append { [weak self] in
      guard let self, !isOver else { return }
      daemon.loop.cancel(alarm)
      readTable(device, Self.retryLimit, completion)
    }
  }

  /// Reads the table from the mirrored objects, retrying while it is empty. Some objects are signalled after
  /// the daemon has reported `ServicesResolved`; asking for a property first ensures that all earlier signals
  /// have arrived.
  private func readTable(_ device: String, _ left: Int, _ completion: @escaping Completion<[GATTService]>) {
    let question: [BusValue] = [.string(BlueZName.device), .string("ServicesResolved")]
    daemon.call(device, BlueZName.properties, "Get", question, limit: Self.limit) { [weak self] _ in
      guard let self, isConnected(device) else { return completion(.failure(.notConnected)) }
      let services = GATTTable.services(of: device, in: daemon.tree)
      guard services.isEmpty, left > 0 else {
        links[device]?.isDiscovered = true
        return completion(.success(services))
      }
      daemon.loop.schedule(after: Self.retryDelay) { [weak self] in
        self?.readTable(device, left - 1, completion)
      }
    }
  }

  package func read(_ device: String, _ id: AttributeID, _ completion: @escaping Completion<[UInt8]>) {
    let operation = Operation(device: device, id: id, member: "ReadValue", body: [.options()])
    enqueue(operation) { [weak self] in
      self?.links[device]?.reading = id
    } completion: { [weak self] result in
      let value = result.flatMap { body -> Result<[UInt8], GATTFailure> in
        body.first?.bytesValue.map { .success($0) } ?? .failure(.att(.unlikelyError))
      }
      self?.readEnded(device, id, try? value.get())
      completion(value)
    }
  }

  /// Delivers the notifications that arrived during a read, except the copy of the value that was read.
  private func readEnded(_ device: String, _ id: AttributeID, _ value: [UInt8]?) {
    var held = links[device]?.held ?? []
    links[device]?.reading = nil
    links[device]?.held = []
    if let value, let index = held.lastIndex(of: value) { held.remove(at: index) }
    for value in held { onEvent?(.notified(device: device, id, value)) }
  }

  /// - Parameter withResponse: If false, `completion` is called as soon as the daemon has accepted the value,
  ///   and further writes need not wait for it.
  package func write(
    _ device: String, _ id: AttributeID, _ value: [UInt8], withResponse: Bool,
    _ completion: @escaping Completion<Void>
  ) {
    let kind = BusValue.options(["type": .string(withResponse ? "request" : "command")])
    let operation = Operation(device: device, id: id, member: "WriteValue", body: [.bytes(value), kind])
    if withResponse {
      enqueue(operation) { completion($0.map { _ in }) }
    } else {
      attempt(operation, isLast: true) { completion($0.map { _ in }) }
    }
  }

  package func setNotify(
    _ device: String, _ id: AttributeID, _ isOn: Bool, _ completion: @escaping Completion<Void>
  ) {
    let operation = Operation(device: device, id: id, member: isOn ? "StartNotify" : "StopNotify", body: [])
    enqueue(operation) { [weak self] in
      // The first value may arrive before the reply.
      if isOn { self?.links[device]?.notifying.insert(id) }
    } completion: { [weak self] result in
      let isNotifying: Bool
      if case .success = result { isNotifying = isOn } else { isNotifying = false }
      if !isNotifying { self?.links[device]?.notifying.remove(id) }
      completion(result.map { _ in })
    }
  }

  // MARK: Queueing

  private struct Operation {
    var device: String
    var id: AttributeID
    var member: String
    var body: [BusValue]
  }

  /// Queues an operation behind the others on its device. `begin` is called when it starts.
  private func enqueue(
    _ operation: Operation, _ begin: @escaping () -> Void = {}, completion: @escaping Completion<[BusValue]>
  ) {
    let device = operation.device
    guard isConnected(device) else { return finishLater(completion, .failure(.notConnected)) }
    links[device]?.operations.append { [weak self] in
      guard let self, isConnected(device) else { return completion(.failure(.notConnected)) }
      links[device]?.isBusy = true
      begin()
      attempt(operation, isLast: false) { [weak self] result in
        self?.links[device]?.isBusy = false
        completion(result)
        self?.runNext(device)
      }
    }
    runNext(device)
  }

  private func runNext(_ device: String) {
    guard let link = links[device], !link.isBusy, let next = link.operations.first else { return }
    links[device]?.operations.removeFirst()
    next()
  }

  /// Performs the operation, and repeats it once after pairing if necessary. That includes an unlikely error
  /// after the daemon has paired by itself, because it sometimes loses a read that it repeats after pairing.
  private func attempt(_ operation: Operation, isLast: Bool, _ completion: @escaping Completion<[BusValue]>) {
    guard let (path, interface) = GATTTable.attribute(operation.id, of: operation.device, in: daemon.tree)
    else {
      return finishLater(completion, .failure(.unknownAttribute))
    }
    let wasPaired = isPaired(operation.device)
    daemon.call(path, interface, operation.member, operation.body, limit: Self.limit) { [weak self] result in
      guard let self, case .failure(let error) = result else {
        return completion(result.mapError(GATTFailure.init))
      }
      let failure = isConnected(operation.device) ? GATTFailure(error) : .notConnected
      if failure.asksForPairing, !isLast, !isPaired(operation.device) {
        requestPairing(operation.device) { [weak self] isPaired in
          guard isPaired else { return completion(.failure(.pairingFailed)) }
          self?.attempt(operation, isLast: true, completion)
        }
      } else if failure == .att(.unlikelyError), !isLast, !wasPaired, isPaired(operation.device) {
        attempt(operation, isLast: true, completion)
      } else {
        completion(.failure(failure))
      }
    }
  }

  package func isPaired(_ device: String) -> Bool { property("Paired", of: device)?.boolValue == true }

  /// Pairs with a connected device, in its turn among the operations on it.
  ///
  /// - Parameter completion: Called later with whether the devices are paired.
  package func pair(_ device: String, _ completion: @escaping (Bool) -> Void) {
    links[device]?.operations.append { [weak self] in
      guard let self, isConnected(device) else { return completion(false) }
      links[device]?.isBusy = true
      requestPairing(device) { [weak self] isPaired in
        self?.links[device]?.isBusy = false
        completion(isPaired)
        self?.runNext(device)
      }
    }
    runNext(device)
  }

  private func requestPairing(_ device: String, _ completion: @escaping (Bool) -> Void) {
    daemon.call(device, BlueZName.device, "Pair", limit: Self.pairLimit) { result in
      switch result {
      case .success: completion(true)
      case .failure(let error): completion(error.name == BlueZError.alreadyExists)
      }
    }
  }

  private func finishLater<Value>(
    _ completion: @escaping Completion<Value>, _ result: Result<Value, GATTFailure>
  ) {
    daemon.loop.schedule(after: .zero) { completion(result) }
  }
}
