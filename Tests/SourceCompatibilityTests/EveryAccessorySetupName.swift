// swift-format-ignore-file
// Uses every public name of our AccessorySetupKit once, with exactly Apple's type.
import AccessorySetupKit

enum EveryAccessorySetupName {
  static func session(_ it: ASAccessorySession) {
    let _: () -> ASAccessorySession = ASAccessorySession.init
    let _: (DispatchQueue, @escaping (ASAccessoryEvent) -> Void) -> Void = it.activate(on:eventHandler:)
    let _: () -> Void = it.invalidate
    let _: KeyPath<ASAccessorySession, [ASAccessory]> = \.accessories
    let _: ReferenceWritableKeyPath<ASAccessorySession, ASPickerDisplaySettings?> = \.pickerDisplaySettings
    let _: (@escaping ((any Error)?) -> Void) -> Void = it.showPicker(completionHandler:)
    let _: ([ASPickerDisplayItem], @escaping ((any Error)?) -> Void) -> Void = it.showPicker(for:completionHandler:)
    let _: ([ASDiscoveredDisplayItem], @escaping @Sendable ((any Error)?) -> Void) -> Void =
      it.updatePicker(showing:completionHandler:)
    let _: (@escaping ((any Error)?) -> Void) -> Void = it.finishPickerDiscovery(completionHandler:)
    let _: (ASAccessory, ASAccessorySettings, @escaping @Sendable ((any Error)?) -> Void) -> Void =
      it.finishAuthorization(for:settings:completionHandler:)
    let _: (ASAccessory, @escaping ((any Error)?) -> Void) -> Void = it.failAuthorization(for:completionHandler:)
    let _: (ASAccessory, ASDiscoveryDescriptor, @escaping ((any Error)?) -> Void) -> Void =
      it.updateAuthorization(for:descriptor:completionHandler:)
    let _: (ASAccessory, @escaping ((any Error)?) -> Void) -> Void = it.removeAccessory(_:completionHandler:)
    let _: (ASAccessory, ASAccessory.RenameOptions, @escaping ((any Error)?) -> Void) -> Void =
      it.renameAccessory(_:options:completionHandler:)
  }

  static func asynchronously(
    _ it: ASAccessorySession, _ accessory: ASAccessory, _ item: ASDiscoveredDisplayItem
  ) async throws {
    try await it.showPicker()
    try await it.showPicker(for: [item])
    try await it.updatePicker(showing: [item])
    try await it.finishPickerDiscovery()
    try await it.finishAuthorization(for: accessory, settings: .default)
    try await it.failAuthorization(for: accessory)
    try await it.updateAuthorization(for: accessory, descriptor: ASDiscoveryDescriptor())
    try await it.removeAccessory(accessory)
    try await it.renameAccessory(accessory)
  }

  static func accessory(_ it: ASDiscoveredAccessory) {
    let _: ASAccessory = it
    let _: KeyPath<ASAccessory, String> = \.displayName
    let _: KeyPath<ASAccessory, ASAccessory.AccessoryState> = \.state
    let _: KeyPath<ASAccessory, ASDiscoveryDescriptor> = \.descriptor
    let _: KeyPath<ASAccessory, UUID?> = \.bluetoothIdentifier
    let _: KeyPath<ASAccessory, Data?> = \.bluetoothTransportBridgingIdentifier
    let _: KeyPath<ASAccessory, String?> = \.ssid
    let _: KeyPath<ASAccessory, ASAccessory.WiFiAwarePairedDeviceID> = \.wifiAwarePairedDeviceID
    let _: [ASAccessory.AccessoryState] = [.unauthorized, .awaitingAuthorization, .authorized]
    let _: ASAccessory.RenameOptions = [.ssid]
    let _: ASAccessory.SupportOptions = [.bluetoothPairingLE, .bluetoothTransportBridging, .bluetoothHID]
    let _: UInt = ASAccessory.SupportOptions(rawValue: 0).rawValue
    let _: ASAccessory.RenameOptions = ASAccessory.RenameOptions(rawValue: 0)
    let _: KeyPath<ASDiscoveredAccessory, [AnyHashable: Any]?> = \.bluetoothAdvertisementData
    let _: KeyPath<ASDiscoveredAccessory, Int?> = \.bluetoothRSSI
    let _: ASAccessorySettings = .default
    let _: ReferenceWritableKeyPath<ASAccessorySettings, String?> = \.ssid
    let _: ReferenceWritableKeyPath<ASAccessorySettings, Data?> = \.bluetoothTransportBridgingIdentifier
  }

  static func event(_ it: ASAccessoryEvent) {
    let _: KeyPath<ASAccessoryEvent, ASAccessoryEventType> = \.eventType
    let _: KeyPath<ASAccessoryEvent, ASAccessory?> = \.accessory
    let _: KeyPath<ASAccessoryEvent, (any Error)?> = \.error
    let _: [ASAccessoryEventType] = [
      .unknown, .activated, .invalidated, .migrationComplete, .accessoryAdded, .accessoryRemoved,
      .accessoryChanged, .accessoryDiscovered, .pickerDidPresent, .pickerDidDismiss, .pickerSetupBridging,
      .pickerSetupFailed, .pickerSetupPairing, .pickerSetupRename,
    ]
    let _: Int = it.eventType.rawValue
  }

  static func descriptor(_ it: ASDiscoveryDescriptor) {
    let _: () -> ASDiscoveryDescriptor = ASDiscoveryDescriptor.init
    let _: ReferenceWritableKeyPath<ASDiscoveryDescriptor, ASBluetoothCompanyIdentifier> = \.bluetoothCompanyIdentifier
    let _: [ReferenceWritableKeyPath<ASDiscoveryDescriptor, Data?>] = [
      \.bluetoothManufacturerDataBlob, \.bluetoothManufacturerDataMask, \.bluetoothServiceDataBlob,
      \.bluetoothServiceDataMask,
    ]
    let _: [ReferenceWritableKeyPath<ASDiscoveryDescriptor, String?>] = [
      \.bluetoothNameSubstring, \.ssid, \.ssidPrefix, \.wifiAwareServiceName,
    ]
    let _: ReferenceWritableKeyPath<ASDiscoveryDescriptor, NSString.CompareOptions> =
      \.bluetoothNameSubstringCompareOptions
    let _: ReferenceWritableKeyPath<ASDiscoveryDescriptor, CBUUID?> = \.bluetoothServiceUUID
    let _: ReferenceWritableKeyPath<ASDiscoveryDescriptor, ASDiscoveryDescriptor.Range> = \.bluetoothRange
    let _: ReferenceWritableKeyPath<ASDiscoveryDescriptor, ASAccessory.SupportOptions> = \.supportedOptions
    let _: ReferenceWritableKeyPath<ASDiscoveryDescriptor, ASDiscoveryDescriptor.WiFiAwareServiceRole> =
      \.wifiAwareServiceRole
    let _: [ReferenceWritableKeyPath<ASDiscoveryDescriptor, ASPropertyCompareString?>] = [
      \.wifiAwareModelNameMatch, \.wifiAwareVendorNameMatch,
    ]
    let _: [ASDiscoveryDescriptor.Range] = [.default, .immediate]
    let _: [ASDiscoveryDescriptor.WiFiAwareServiceRole] = [.subscriber, .publisher]
    let _: (String, NSString.CompareOptions) -> ASPropertyCompareString =
      ASPropertyCompareString.init(string:compareOptions:)
    let _: KeyPath<ASPropertyCompareString, String> = \.string
    let _: KeyPath<ASPropertyCompareString, NSString.CompareOptions> = \.compareOptions
    let _: (UInt16) -> ASBluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier.init(_:)
    let _: UInt16 = ASBluetoothCompanyIdentifier(rawValue: 1).rawValue
  }

  static func items(_ settings: ASPickerDisplaySettings) {
    let _: (String, UIImage, ASDiscoveryDescriptor) -> ASPickerDisplayItem =
      ASPickerDisplayItem.init(name:productImage:descriptor:)
    let _: KeyPath<ASPickerDisplayItem, String> = \.name
    let _: KeyPath<ASPickerDisplayItem, UIImage> = \.productImage
    let _: KeyPath<ASPickerDisplayItem, ASDiscoveryDescriptor> = \.descriptor
    let _: ReferenceWritableKeyPath<ASPickerDisplayItem, ASPickerDisplayItem.SetupOptions> = \.setupOptions
    let _: ReferenceWritableKeyPath<ASPickerDisplayItem, ASAccessory.RenameOptions> = \.renameOptions
    let _: ASPickerDisplayItem.SetupOptions = [.rename, .confirmAuthorization, .finishInApp]
    let _: ASPickerDisplayItem.SetupOptions = ASPickerDisplayItem.SetupOptions(rawValue: 0)
    let _: ReferenceWritableKeyPath<ASMigrationDisplayItem, UUID?> = \.peripheralIdentifier
    let _: ReferenceWritableKeyPath<ASMigrationDisplayItem, String?> = \.hotspotSSID
    let _: ReferenceWritableKeyPath<ASMigrationDisplayItem, ASAccessory.WiFiAwarePairedDeviceID> =
      \.wifiAwarePairedDeviceID
    let _: (String, UIImage, ASDiscoveredAccessory) -> ASDiscoveredDisplayItem =
      ASDiscoveredDisplayItem.init(name:productImage:accessory:)
    let _: ASPickerDisplaySettings = .default
    let _: ReferenceWritableKeyPath<ASPickerDisplaySettings, ASPickerDisplaySettings.DiscoveryTimeout> =
      \.discoveryTimeout
    let _: ReferenceWritableKeyPath<ASPickerDisplaySettings, ASPickerDisplaySettings.Options> = \.options
    let _: [ASPickerDisplaySettings.DiscoveryTimeout] = [.short, .medium, .long, .unbounded]
    let _: TimeInterval = ASPickerDisplaySettings.DiscoveryTimeout(rawValue: 1).rawValue
    let _: ASPickerDisplaySettings.Options = [.filterDiscoveryResults]
    let _: ASPickerDisplaySettings.Options = ASPickerDisplaySettings.Options(rawValue: 0)
    let _: [ASError.Code] = [
      .success, .unknown, .activationFailed, .connectionFailed, .discoveryTimeout, .extensionNotFound,
      .invalidated, .invalidRequest, .pickerAlreadyActive, .pickerRestricted, .userCancelled, .userRestricted,
    ]
    let _: String = ASErrorDomain
    let _: ASError.Code = ASError(.unknown).code
  }
}
