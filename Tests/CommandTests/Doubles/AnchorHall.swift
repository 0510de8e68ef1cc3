/// A scenario of a hall with eight anchors at two heights and a tag that circles in it.
enum AnchorHall {
  static let places = [
    (-3.04, -4.04, 0.21), (-3.23, 3.76, 2.95), (3.69, 3.71, 0.17), (4.1, -4.27, 3.2), (-3.04, -4.41, 3.04),
    (3.93, -3.79, 0.2), (4.06, 3.85, 3.14), (-3.16, 3.35, 0.18),
  ]

  static func scenario(
    seed: Int = 3, duration: Double = 20, anchors: Int = 8, walls: String = "", height: Double? = nil
  ) -> String {
    var text = "{ seed: \(seed), duration: \(duration), pairs: [], walls: [\(walls)], devices: [\n"
    text += "{ name: \"tag\", radio: \"module\", "
    text +=
      "motion: { walk: [[1.5, 0, 1], [1.5, 1.5, 1.6], [-1.5, 1.5, 1.2], [-1.5, -1.5, 1.8], [1.5, -1.5, 1]], speed: 0.9, loop: true } },\n"
    for (index, place) in places.prefix(anchors).enumerated() {
      let z = height ?? place.2
      text += "{ name: \"a\(index)\", kind: \"accessory\", radio: \"anchor\", "
      text += "motion: { stand: [\(place.0), \(place.1), \(z)] } },\n"
    }
    return text + "] }"
  }
}
