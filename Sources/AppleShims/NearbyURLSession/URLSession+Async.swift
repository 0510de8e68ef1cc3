import Foundation
@_exported import FoundationNetworking

// Foundation for Linux declares these methods with a delegate as last parameter, whose default is `nil`. A method with a
// default does not satisfy a protocol's requirement without that parameter, and apps put URLSession behind such protocols
// for their tests. Apple's Foundation declares both.
extension URLSession {
  /// Downloads the contents of a request's URL.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, delegate: nil)
  }

  /// Downloads the contents of a URL.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(from: url, delegate: nil)
  }

  /// Uploads data by a request, and returns the answer.
  public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: bodyData, delegate: nil)
  }

  /// Uploads a file by a request, and returns the answer.
  public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
    try await upload(for: request, fromFile: fileURL, delegate: nil)
  }

  /// Downloads the contents of a request's URL into a temporary file.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    try await download(for: request, delegate: nil)
  }

  /// Downloads the contents of a URL into a temporary file.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(from: url, delegate: nil)
  }
}
