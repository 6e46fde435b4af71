/**
 * What Node runs the service with. Its young generation would grow to 96 MB and hold as much again of what came over
 * connections; with 8 MB a half, twice eight bodies of 49 MB leave the process 100 MB smaller. Plain JavaScript: the
 * bootstrap reads it, too.
 */
export const apiNodeOptions = ['--max-semi-space-size=8']
