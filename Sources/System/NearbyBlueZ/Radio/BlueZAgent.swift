/// Answers the daemon's questions about pairing: this side can neither show nor read anything ("Just Works").
final class BlueZAgent: RadioPart {
  private static let path = "/nearby/agent"

  private let daemon: BlueZDaemon
  private var adapter: String?
  /// Whether others may pair with this device: it serves something that asks for it.
  private var takesPairing = false
  /// Whether others that want to pair are refused, though something asks for it.
  private var refusesPairing = false
  /// Whether this side is just asking something of a device, for which they may have to pair.
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
  func followed(_ change: BlueZTree.Change, _ signal: BusSignal) {}

  private func becomeDefault(_ adapter: String) {
    daemon.call("/org/bluez", BlueZName.agentManager, "RequestDefaultAgent", [.path(Self.path)])
    setPairable(adapter)
  }

  /// Refused twice: by the kernel, which makes no lasting keys while the adapter is not pairable, and by this agent.
  private func setPairable(_ adapter: String) {
    daemon.set("Pairable", of: adapter, BlueZName.adapter, to: .bool(!refusesPairing))
  }

  private func received(_ member: String, _ body: [BusValue], _ answer: BusConnection.Answer) {
    switch member {
    case "Release", "Cancel": answer.give()
    case "RequestAuthorization", "RequestConfirmation", "AuthorizeService":
      let isAsking = body.first?.pathValue.map { self.isAsking?($0) == true } ?? false
      (takesPairing && !refusesPairing) || isAsking ? answer.give() : answer.refuse(BlueZError.rejected)
    // What would need a screen or keys.
    case "RequestPinCode", "RequestPasskey", "DisplayPinCode", "DisplayPasskey":
      answer.refuse(BlueZError.rejected)
    case _: answer.refuse(BlueZName.unknownMethod)
    }
  }
}
