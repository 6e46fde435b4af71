/**
 * `npm run indexer`: Ponder with its supervision, in front, with the settings of docs/operate/settings.md.
 *
 *   npm run indexer                        runs until it is asked to end
 *   npm run indexer -- --again             indexes the chain again beside the rows that are served, then serves the new ones
 *   npm run indexer -- prune [--dry-run]   drops rows of older deployments: all but those that are served, the ones before
 *                                          them, newer ones, and those whose indexer runs
 */
await import('../ops/indexer/run.ts')
