/**
 * `npm run drill`: practises the incidents of docs/operate/bad-day on a separate stack under a load of writes, and
 * measures how long each takes. The exercises are in test/faults/drills. The checker of `npm run faults` checks their
 * results.
 *
 *   npm run drill                        every exercise, some minutes
 *   npm run drill -- --list              their names
 *   npm run drill -- --case 'standby'    by name, part of a name or number; `--seed 7` with a known seed
 *
 * The exit code is 0 only if no write was lost, executed twice or charged without effect. It is 2 for a wrong option.
 */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

process.argv.push('--profile', 'drill')
await import(join(repositoryRoot, 'test', 'faults', 'main.ts'))
