/// One controlee's share of a data transfer phase: an entry of SESSION_DATA_TRANSFER_PHASE_CONFIG_CMD.
///
/// The sizes are in the command's control octet: bit 0 is set for addresses of 8 octets, and bits 1 to 3
/// hold the binary logarithm of the bitmap's size in octets.
///
/// Source: FiRa UCI Generic Specification 2.0, and `build_data_transfer_phase_config_cmd` in AOSP's
/// `uwb_uci_packets`.
package struct UCITransferPhaseEntry: Hashable, Sendable {
  package var address: UCIAddress
  /// One bit for each slot, 1 to 128 octets. The lowest bit of the first octet is slot 0.
  package var slotBitmap: [UInt8]
  /// STOP_DATA_TRANSFER; `nil` in the layout of Android 15, in which each entry ends with the bitmap.
  package var stop: UInt8?

  package init(address: UCIAddress, slotBitmap: [UInt8], stop: UInt8? = 0) {
    self.address = address
    self.slotBitmap = slotBitmap
    self.stop = stop
  }

  /// The size of the slot bitmap, 1 to 128 octets.
  package static func bitmapSize(control: UInt8) -> Int { 1 << Int(control >> 1 & 0x07) }
  static func hasExtendedAddresses(control: UInt8) -> Bool { control & 0x01 != 0 }
}

/// The addresses of a ranging round's responders, with their slots if the host assigns them.
package struct UCIAnchorResponders: Hashable, Sendable {
  package var addresses: [UCIAddress]
  /// One slot for each address; `nil` if the slots follow the order of the addresses.
  package var slots: [UInt8]?

  package init(addresses: [UCIAddress], slots: [UInt8]? = nil) {
    self.addresses = addresses
    self.slots = slots
  }
}

/// A DL-TDoA anchor's role in one ranging round: an entry of SESSION_UPDATE_DT_ANCHOR_RANGING_ROUNDS_CMD.
package enum UCIAnchorRound: Hashable, Sendable {
  /// Role 0.
  case responder(round: UInt8)
  /// Role 1.
  case initiator(round: UInt8, UCIAnchorResponders)
}

/// The responders that an initiating anchor polls in one round: an entry of
/// SESSION_SET_INITIATOR_DT_ANCHOR_RR_RDM_LIST_CMD.
package struct UCIAnchorRoundResponders: Hashable, Sendable {
  package var round: UInt8
  package var responders: UCIAnchorResponders

  package init(round: UInt8, responders: UCIAnchorResponders) {
    self.round = round
    self.responders = responders
  }
}

/// One phase of a hybrid session: an entry of SESSION_SET_HUS_CONTROLLER_CONFIG_CMD.
package struct UCIHybridPhase: Hashable, Sendable {
  package var token: UCISessionToken
  package var startSlot: UInt16
  package var endSlot: UInt16
  /// Bit 0 is set for an address of 8 octets. In the layout of Android 15, PHASE_PARTICIPATION.
  package var control: UInt8
  package var address: UCIAddress

  package init(
    token: UCISessionToken, startSlot: UInt16, endSlot: UInt16, control: UInt8, address: UCIAddress
  ) {
    self.token = token
    self.startSlot = startSlot
    self.endSlot = endSlot
    self.control = control
    self.address = address
  }
}

/// The payload of SESSION_SET_HUS_CONTROLLER_CONFIG_CMD after its token.
package struct UCIHybridSchedule: Hashable, Sendable {
  /// The fields before the phases in the layout of Android 15.
  package struct EarlyHead: Hashable, Sendable {
    package var messageControl: UInt8
    package var updateTime: UInt64

    package init(messageControl: UInt8, updateTime: UInt64) {
      self.messageControl = messageControl
      self.updateTime = updateTime
    }
  }

  /// At most 255.
  package var phases: [UCIHybridPhase]
  /// `nil` in the current layout.
  package var earlyHead: EarlyHead?

  package init(phases: [UCIHybridPhase], earlyHead: EarlyHead? = nil) {
    self.phases = phases
    self.earlyHead = earlyHead
  }
}
