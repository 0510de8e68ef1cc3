import Foundation

struct Upload {
  let url: URL
  func send(_ body: Data) async throws {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    _ = try await URLSession.shared.upload(for: request, from: body)
  }
}
