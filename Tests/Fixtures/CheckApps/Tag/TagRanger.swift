import NearbyInteraction

final class TagRanger: NSObject, NISessionDelegate {
  let session = NISession()
  private let link = AccessoryLink()
  private var configuration: NINearbyAccessoryConfiguration?

  override init() {
    super.init()
    session.delegate = self
    link.accessoryDataHandler = { [unowned self] data, _ in
      do {
        let configuration = try NINearbyAccessoryConfiguration(data: data)
        self.configuration = configuration
        session.run(configuration)
      } catch {
        print("refused: \(error)")
      }
    }
  }

  func session(
    _ session: NISession, didGenerateShareableConfigurationData data: Data, for object: NINearbyObject
  ) {
    guard object.discoveryToken == configuration?.accessoryDiscoveryToken else { return }
    link.send(.configureAndStart, data)
  }

  static func angles(_ direction: simd_float3) -> (azimuth: Float, elevation: Float) {
    (atan2(direction.x, -direction.z), asin(direction.y / simd_length(direction)))
  }
}
