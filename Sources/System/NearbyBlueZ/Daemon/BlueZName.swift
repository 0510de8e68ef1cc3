/// Names of BlueZ's interfaces, and of the bus's own interfaces and errors.
package enum BlueZName {
  package static let service = "org.bluez"
  package static let adapter = "org.bluez.Adapter1"
  package static let device = "org.bluez.Device1"
  package static let gattService = "org.bluez.GattService1"
  package static let characteristic = "org.bluez.GattCharacteristic1"
  package static let descriptor = "org.bluez.GattDescriptor1"
  package static let gattManager = "org.bluez.GattManager1"
  package static let advertisement = "org.bluez.LEAdvertisement1"
  package static let advertisingManager = "org.bluez.LEAdvertisingManager1"
  package static let monitor = "org.bluez.AdvertisementMonitor1"
  package static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  package static let agent = "org.bluez.Agent1"
  package static let agentManager = "org.bluez.AgentManager1"

  package static let bus = "org.freedesktop.DBus"
  package static let busPath = "/org/freedesktop/DBus"
  package static let properties = "org.freedesktop.DBus.Properties"
  package static let objectManager = "org.freedesktop.DBus.ObjectManager"
  package static let introspectable = "org.freedesktop.DBus.Introspectable"

  package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
}

/// Names of BlueZ's errors.
package enum BlueZError {
  package static let failed = "org.bluez.Error.Failed"
  package static let rejected = "org.bluez.Error.Rejected"
  package static let inProgress = "org.bluez.Error.InProgress"
  package static let notPermitted = "org.bluez.Error.NotPermitted"
  package static let notAuthorized = "org.bluez.Error.NotAuthorized"
  package static let notSupported = "org.bluez.Error.NotSupported"
  package static let notReady = "org.bluez.Error.NotReady"
  package static let notConnected = "org.bluez.Error.NotConnected"
  package static let alreadyConnected = "org.bluez.Error.AlreadyConnected"
  package static let alreadyExists = "org.bluez.Error.AlreadyExists"
  package static let doesNotExist = "org.bluez.Error.DoesNotExist"
  package static let invalidArguments = "org.bluez.Error.InvalidArguments"
  package static let invalidOffset = "org.bluez.Error.InvalidOffset"
  package static let invalidLength = "org.bluez.Error.InvalidValueLength"
}
