/** `npm run api`: the service, in front, with the settings of api/config.ts. */
await import('../api/main.ts')
