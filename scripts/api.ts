/** `npm run api`: the service, in front, with the settings of settings/table.ts. */
await import('../api/main.ts')
