/**
 * `npm run drill`: practises an operator's bad days (docs/operate/bad-day) on a stack of its own, under a load of writes, and
 * measures how long each takes: the exercises of test/faults/drills, with the checker of `npm run faults`.
 *
 *   npm run drill                        every exercise, some minutes
 *   npm run drill -- --list              their names
 *   npm run drill -- --case 'standby'    by name, part of a name or number; `--seed 7` with a known seed
 *
 * The exit code is 0 only if no write was lost, done twice or charged for nothing, and 2 at a wrong option.
 */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

process.argv.push('--profile', 'drill')
await import(join(repositoryRoot, 'test', 'faults', 'main.ts'))
