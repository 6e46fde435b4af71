/** `npm run web`: the pages for people, alone, over the API at `API_URL`, with the settings of docs/operate/settings.md. */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../web/main.ts')
