/**
 * `npm run web`: runs a process in the foreground that serves only the web pages. It reads all data from the API at
 * `API_URL`. docs/operate/settings.md lists its settings.
 */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../web/main.ts')
