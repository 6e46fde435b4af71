/** `npm run api`: the service, in front, with the settings of docs/operate/settings.md. */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../api/main.ts')
