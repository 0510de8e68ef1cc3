import NearbyMaths
import NearbySchedule

/// One message for the broker.
package struct SiteMessage: Equatable, Sendable {
  package var topic: String
  package var payload: String
  /// Whether the broker keeps it for those who subscribe later.
  package var isRetained = false
  /// MQTT's quality of service, 0 or 1.
  package var quality: UInt8 = 0

  package init(topic: String, payload: String, isRetained: Bool = false, quality: UInt8 = 0) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.quality = quality
  }

  /// Whether it is a tag's position on the site's own topic.
  package var isPosition: Bool { topic.hasSuffix(SiteTopics.positionEnd) }
}

/// The topics of a site.
package struct SiteTopics: Equatable, Sendable {
  package let site: String

  package init(site: String) { self.site = site }

  fileprivate static let positionEnd = "/position"

  /// Whether the site's process runs: `online` or `offline`, retained, and the last will.
  package var status: String { "nearby/\(site)/status" }
  package func base(_ tag: String) -> String { "nearby/\(site)/\(tag)" }
  package func position(_ tag: String) -> String { base(tag) + Self.positionEnd }

  /// What the broker publishes when the site's process is gone.
  package var will: SiteMessage {
    SiteMessage(topic: status, payload: "offline", isRetained: true, quality: 1)
  }
  package var birth: SiteMessage {
    SiteMessage(topic: status, payload: "online", isRetained: true, quality: 1)
  }

  /// An id of `a-z`, `A-Z`, `0-9`, `_` and `-`, which Home Assistant and omlox require; an id with other
  /// characters gets a number of its own, so that two ids never become one.
  package static func plainID(_ id: String) -> String {
    var plain = ""
    for octet in id.utf8 {
      let scalar = Unicode.Scalar(octet)
      let isPlain =
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
        || octet == 0x5F || octet == 0x2D
      plain.unicodeScalars.append(isPlain ? scalar : "_")
    }
    guard plain != id else { return id }
    return plain.prefix(48) + "_" + String(StableHash.of(id) & 0xFFFF_FFFF, radix: 16)
  }
}

extension SitePlan.Origin {
  /// Latitude and longitude of a place in the plan, degrees: a plane tangent to the ellipsoid of WGS 84, good to
  /// a centimetre within a kilometre.
  package func globe(_ place: SIMD3<Double>) -> (latitude: Double, longitude: Double) {
    let radians = Double.pi / 180
    let (sine, cosine) = (Maths.sin(azimuth * radians), Maths.cos(azimuth * radians))
    let north = place.y * cosine - place.x * sine
    let east = place.y * sine + place.x * cosine
    // Semi-major axis and squared eccentricity of WGS 84; radii of the meridian and of the prime vertical.
    let (axis, eccentricity) = (6_378_137.0, 0.006_694_379_990_14)
    let sinLatitude = Maths.sin(latitude * radians)
    let share = 1 - eccentricity * sinLatitude * sinLatitude
    let meridian = axis * (1 - eccentricity) / (share * share.squareRoot())
    let vertical = axis / share.squareRoot()
    var longitude = longitude + east / (vertical * Maths.cos(latitude * radians)) / radians
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return (latitude + north / meridian / radians, longitude)
  }
}
