/** `npm run standby-keeper`: ends old sessions of a standby, in front, with the settings of docs/operate/settings.md. */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../ops/standby/run.ts')
