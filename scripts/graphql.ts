/** `npm run graphql`: runs the GraphQL process in the foreground. docs/operate/settings.md lists its settings. */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../graphql/main.ts')
