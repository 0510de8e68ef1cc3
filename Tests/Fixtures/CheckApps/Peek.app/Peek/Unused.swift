// Not in the project: nobody builds it.
let nothing = NoSuchThing()
