/** `npm run graphql`: GraphQL over the read model, in front, with the settings of api/graphql/config.ts. */
await import('../api/graphql/main.ts')
