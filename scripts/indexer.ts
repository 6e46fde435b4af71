/**
 * `npm run indexer`: runs Ponder in the foreground, and restarts it if it fails. docs/operate/settings.md lists the
 * settings.
 *
 *   npm run indexer                        runs until it is asked to end
 *   npm run indexer -- --again             indexes the chain again beside the rows that are served, then serves the
 *                                          new rows
 *   npm run indexer -- prune [--dry-run]   drops the rows of older deployments. Keeps the rows that are served, those
 *                                          of the deployment before, newer rows, and rows whose indexer runs
 */
await import('../ops/indexer/run.ts')
