/** `npm run indexer`: Ponder with its supervision, in front, with the settings of ops/indexer/settings.ts. */
await import('../ops/indexer/run.ts')
