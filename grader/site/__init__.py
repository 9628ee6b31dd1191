"""The practice site: pages, queue and server around the judge."""
