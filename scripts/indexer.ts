/** `npm run indexer`: Ponder with its supervision, in front, with the settings of settings/table.ts. */
await import('../ops/indexer/run.ts')
