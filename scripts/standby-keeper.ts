/**
 * `npm run standby-keeper`: runs the keeper of a standby in the foreground. The keeper ends old sessions of the
 * standby. docs/operate/settings.md lists its settings.
 */
import { readOptions } from '../ops/process/read-options.ts'

readOptions({})
await import('../ops/standby/run.ts')
