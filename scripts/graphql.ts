/** `npm run graphql`: GraphQL over the read model, in front, with the settings of settings/table.ts. */
await import('../graphql/main.ts')
