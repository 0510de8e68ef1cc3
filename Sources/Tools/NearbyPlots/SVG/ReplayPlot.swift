import NearbyRecordings

/// Builds the picture of a replay.
package enum ReplayPlot {
  package static func plot(_ rows: [ReplayRow], title: String) -> RangePlot {
    var series: [PlotSeries] = []
    var places: [RecordedPair: Int] = [:]
    for row in rows {
      let pair = RecordedPair(object: row.object, tag: row.tag)
      let place = places[pair, default: series.count]
      if place == series.count {
        places[pair] = place
        series.append(PlotSeries(name: "object \(row.object)" + (row.tag.map { ", tag \($0)" } ?? "")))
      }
      let time = row.time / .seconds(1)
      series[place].raw.append(.init(time: time, value: row.range))
      if let distance = row.distance, let sigma = row.sigma {
        series[place].estimates.append(.init(time: time, value: distance, sigma: sigma))
      }
      if let truth = row.trueRange { series[place].truth.append(.init(time: time, value: truth)) }
    }
    series.sort { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    return RangePlot(title: title, series: series)
  }
}
