import Foundation
import NearbyCommandLine
import NearbyMQTT
import NearbySite

/// How commands reach an MQTT broker.
enum BrokerOptions {
  static let mqtt = CommandOption<SiteBroker?>.optional(
    "mqtt", "URL", "MQTT broker: mqtt://HOST[:PORT], or mqtts:// with TLS",
    as: OptionReader(expected: SiteBroker.expectedURL, read: SiteBroker.init(url:)))
  static let user = CommandOption<String?>.optional("user", "NAME", "User at the broker", as: .text)
  static let passwordFile = CommandOption<String?>.optional(
    "password-file", "FILE", "File whose first line is the user's password", as: .file)
  static let authorities = CommandOption<String?>.optional(
    "ca", "FILE", "Certificates to trust, PEM (default: the system's)", as: .file)
  static let certificate = CommandOption<String?>.optional(
    "client-certificate", "FILE", "This client's certificate, PEM", as: .file)
  static let key = CommandOption<String?>.optional(
    "client-key", "FILE", "This client's key, PEM", as: .file)
  static let all: [any DeclaredOption] = [mqtt, user, passwordFile, authorities, certificate, key]

  /// The broker; `nil` if there is none and none is needed.
  static func broker(_ arguments: CommandArguments, isNeeded: Bool) throws(UsageError) -> SiteBroker? {
    guard var broker = try arguments[mqtt] else {
      if isNeeded { throw .missing(mqtt) }
      return nil
    }
    broker.user = try arguments[user]
    broker.passwordFile = try arguments[passwordFile]
    broker.authorities = try arguments[authorities]
    broker.certificate = try arguments[certificate]
    broker.key = try arguments[key]
    if (broker.certificate == nil) != (broker.key == nil) {
      throw .conflict("\(certificate) and \(key) belong together")
    }
    return broker
  }

  /// The client's options, with the password from its file.
  static func connection(
    _ broker: SiteBroker, client: String, will: SiteMessage?
  ) throws(CommandError) -> MQTTConnection.Options {
    var options = MQTTConnection.Options(host: broker.host, port: broker.port, client: client)
    options.user = broker.user
    options.usesTLS = broker.usesTLS
    options.authorities = broker.authorities
    options.certificate = broker.certificate
    options.key = broker.key
    options.usesVersion5 = broker.usesVersion5
    options.will = will.map { message($0) }
    if let file = broker.passwordFile {
      let text: String
      do {
        text = try String(contentsOfFile: file, encoding: .utf8)
      } catch {
        throw .noInput("\(file): the password can't be read: \(error.localizedDescription)")
      }
      options.password = text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
    }
    return options
  }

  static func message(_ message: SiteMessage) -> MQTTMessage {
    MQTTMessage(
      topic: message.topic, payload: Array(message.payload.utf8), isRetained: message.isRetained,
      quality: message.quality)
  }

  static func commandError(_ failure: MQTTFailure) -> CommandError {
    failure.cause == .security ? .noInput("\(failure)") : .unavailable("\(failure)")
  }
}
