/**
 * `npm run faults`: runs test/faults/main.ts, which injects faults into the writes of a separate stack.
 *
 *   npm run faults -- --profile short    the cases that CI runs; without it all of them
 *   npm run faults -- --list             their names
 *   npm run faults -- --case rotation    by name, part of a name or number; `--seed 7` with a known seed
 *   npm run faults -- --jobs 2           in two environments side by side
 */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

await import(join(repositoryRoot, 'test', 'faults', 'main.ts'))
