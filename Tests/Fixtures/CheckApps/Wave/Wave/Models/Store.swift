import Foundation

struct Settings: Codable {
  var name = "Anna"
  var limit: Double? = nil
  enum CodingKeys: String, CodingKey { case name, limit = "max" }
}

actor Store {
  enum Failure: Error { case missing(String), broken }
  private let defaults = UserDefaults.standard
  func load(_ key: String = #function) throws -> Settings {
    guard let data = defaults.data(forKey: key) else { throw Failure.missing(key) }
    return try JSONDecoder().decode(Settings.self, from: data)
  }
  func save(_ settings: Settings, as key: String) {
    defaults.set(try? JSONEncoder().encode(settings), forKey: key)
  }
  nonisolated func changes() -> AsyncStream<Settings> {
    AsyncStream { continuation in
      let observer = NotificationCenter.default.addObserver(
        forName: .settingsChanged, object: nil, queue: .main
      ) { note in
        if let settings = note.object as? Settings { continuation.yield(settings) }
      }
      continuation.onTermination = { @Sendable _ in _ = observer }
    }
  }
}

extension Notification.Name { static let settingsChanged = Notification.Name("settingsChanged") }
