/** `npm run indexer`: Ponder with its supervision, in front, with the settings of scripts/indexer/settings.ts. */
await import('./indexer/run.ts')
