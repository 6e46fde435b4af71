/**
 * `npm run drill`: practises an operator's bad days (docs/operate/bad-day) on a stack of its own, under a load of writes, and
 * measures how long each takes: the exercises of test/faults/drills, with the arguments and the checker of `npm run faults`.
 */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

process.argv.push('--profile', 'drill')
await import(join(repositoryRoot, 'test', 'faults', 'main.ts'))
