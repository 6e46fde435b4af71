/** `npm run graphql`: GraphQL over the read model, in front, with the settings of graphql/config.ts. */
await import('../graphql/main.ts')
