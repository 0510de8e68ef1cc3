/// Answers the daemon's pairing requests as a device without display or input ("Just Works").
final class BlueZAgent: RadioPart {
  private static let path = "/nearby/agent"

  private let daemon: BlueZDaemon
  private var adapter: String?
  /// Whether other devices may pair with this one, because it serves an attribute that requires it.
  private var takesPairing = false
  /// Whether pairing requests are rejected even if an attribute requires pairing.
  private var refusesPairing = false
  /// Whether an operation of ours on the device is in progress, for which it may have to pair.
  var isAsking: ((_ device: String) -> Bool)?

  init(_ daemon: BlueZDaemon) {
    self.daemon = daemon
  }

  func setTakesPairing(_ takesPairing: Bool) {
    guard self.takesPairing != takesPairing else { return }
    self.takesPairing = takesPairing
    if takesPairing, let adapter { becomeDefault(adapter) }
  }

  func setRefusesPairing(_ refuses: Bool) {
    guard refusesPairing != refuses else { return }
    refusesPairing = refuses
    if takesPairing, let adapter { setPairable(adapter) }
  }

  func began(on adapter: String, isNew: Bool) {
    self.adapter = adapter
    guard isNew else { return }
    daemon.export(
      BusExport(BlueZName.agent) { [weak self] in self?.received($0, $1, $2) }, at: Self.path)
    daemon.call(
      "/org/bluez", BlueZName.agentManager, "RegisterAgent", [.path(Self.path), .string("NoInputNoOutput")])
    if takesPairing { becomeDefault(adapter) }
  }

  func ended() { adapter = nil }
  func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal) {}

  private func becomeDefault(_ adapter: String) {
    daemon.call("/org/bluez", BlueZName.agentManager, "RequestDefaultAgent", [.path(Self.path)])
    setPairable(adapter)
  }

  /// Pairing is refused twice: the kernel creates no lasting keys while the adapter is not pairable, and this
  /// agent rejects requests.
  private func setPairable(_ adapter: String) {
    daemon.set("Pairable", of: adapter, BlueZName.adapter, to: .bool(!refusesPairing))
  }

  private func received(_ member: String, _ body: [BusValue], _ answer: BusConnection.Answer) {
    switch member {
    case "Release", "Cancel": answer.give()
    case "RequestAuthorization", "RequestConfirmation", "AuthorizeService":
      let isAsking = body.first?.pathValue.map { self.isAsking?($0) == true } ?? false
      (takesPairing && !refusesPairing) || isAsking ? answer.give() : answer.refuse(BlueZError.rejected)
    // These need a display or a keyboard.
    case "RequestPinCode", "RequestPasskey", "DisplayPinCode", "DisplayPasskey":
      answer.refuse(BlueZError.rejected)
    case _: answer.refuse(BlueZName.unknownMethod)
    }
  }
}
