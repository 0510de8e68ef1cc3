// A host's requests and reports use the messages' types, so a file that imports the host needs those too.
@_exported import NearbyUCIMessages
