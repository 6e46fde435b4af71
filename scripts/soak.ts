/**
 * `npm run soak`: a load of every kind with faults at random on a stack of its own, for hours; fails where memory, connections,
 * files, rows that should be pruned, the log of Postgres or the slowest answers grow. test/soak/main.ts says what it takes.
 *
 *   npm run soak -- --hours 8              a night
 *   npm run soak -- --minutes 10           whether it runs: a verdict on growth needs half an hour
 *   npm run soak -- --hours 8 --seed 7     with a known seed
 *   npm run soak -- --judge <samples>      judges the samples of an earlier run (.local/soak/<seed>.jsonl) again
 *   npm run soak -- --keep <result>        puts the figures of a run (.local/soak/<seed>.json) into docs/internals/benchmarks
 *
 * A line a minute, then a table and the verdict. The exit code is 0 only if nothing grew. Linux only.
 */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

await import(join(repositoryRoot, 'test', 'soak', 'main.ts'))
