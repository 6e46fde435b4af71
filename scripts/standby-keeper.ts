/** `npm run standby-keeper`: ends old sessions of a standby, in front, with the settings of ops/standby/settings.ts. */
await import('../ops/standby/run.ts')
