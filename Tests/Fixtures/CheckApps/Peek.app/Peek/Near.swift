/// Needs a constant of the view's file.
func isClose(_ distance: Float?) -> Bool { distance.map { $0 < closeDistance } ?? false }
