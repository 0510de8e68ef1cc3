// Not part of the project, so it is never built.
let nothing = NoSuchThing()
