/**
 * `npm run soak`: runs a separate stack for hours, under loads of every kind and with random faults. It fails if one of
 * these grows: memory, connections, files, rows that should be pruned, the log of Postgres, or the slowest answers.
 * test/soak/main.ts describes its requirements.
 *
 *   npm run soak -- --hours 8              a night
 *   npm run soak -- --minutes 10           whether it runs: a verdict on growth needs half an hour
 *   npm run soak -- --hours 8 --seed 7     with a known seed
 *   npm run soak -- --judge <samples>      judges the samples of an earlier run (.local/soak/<seed>.jsonl) again
 *   npm run soak -- --keep <result>        records a run (.local/soak/<seed>.json) in docs/internals/benchmarks
 *
 * It prints a line each minute, then a table and the verdict. The exit code is 0 only if nothing grew. Linux only.
 */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

await import(join(repositoryRoot, 'test', 'soak', 'main.ts'))
