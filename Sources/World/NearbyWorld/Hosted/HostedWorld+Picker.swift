import NearbyBluetooth
import NearbyScenarios
import NearbyWorldProtocol

/// Accessory pickers of programs, and the replies of the people at their devices.
extension HostedWorld {
  /// Notes what a program's picker asks now. A standing reply is given at once; otherwise the picker stays open.
  mutating func setPicker(_ device: Int, _ picker: WorldPicker?) {
    let isNew = picker != nil && devices[device].picker?.number != picker?.number
    devices[device].picker = picker
    if isNew { journal.note(.askedToPick, device: device, at: time) }
    replyToPicker(device)
  }

  /// Gives the standing reply to the open picker, if there is one.
  mutating func replyToPicker(_ device: Int) {
    guard let picker = devices[device].picker, let reply = devices[device].standingReply else { return }
    pick(device, number: picker.number, reply)
  }

  /// Sends a reply to a device's picker; no-op if the picker is not open any more.
  mutating func pick(_ device: Int, number: UInt32, _ pick: WorldPick) {
    guard devices[device].picker?.number == number, case .program(let client, _)? = devices[device].holder
    else {
      return
    }
    actions.append(.send(.picked(number: number, pick), to: client, at: time))
  }
}

extension HostedDevice {
  /// The reply that is given to the open picker without asking anybody.
  fileprivate var standingReply: WorldPick? {
    guard let picker, let isAllowed = pickerAllowance else { return nil }
    return switch picker.kind {
    case .choose(let offers): isAllowed ? offers.first.map { .choose($0.peer) } : .cancel
    case .migrate: isAllowed ? .agree : .cancel
    case .name: .cancel
    case .pairing: nil
    }
  }

  /// Whether pickers are answered with a choice; `nil` leaves them open.
  private var pickerAllowance: Bool? {
    switch pickerRule {
    case .cancel: return false
    case .wait: return nil
    case .choose:
      switch standingAnswer {
      case .allowed, .allowedOnce: return true
      case .denied: return false
      case .notDetermined, nil: return nil
      }
    }
  }
}
