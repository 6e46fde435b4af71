/** `npm run api`: runs the service in the foreground. docs/operate/settings.md lists its settings. */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../api/main.ts')
