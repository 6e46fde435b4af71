/** `npm run graphql`: GraphQL over the read model, in front, with the settings of docs/operate/settings.md. */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../graphql/main.ts')
