/**
 * `node scripts/scaling.ts`: writes the tables of docs/scaling.md anew from the newest kept benchmarks
 * (docs/benchmarks/). With --check it changes nothing, and fails where the document differs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../ops/process/paths.ts'
import { assumptions, capacityTable, indexTable, type Measured, stepTable } from './scaling-tables.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const path = join(repositoryRoot, 'docs', 'scaling.md')
const benchmarks = join(repositoryRoot, 'docs', 'benchmarks')

const measured = {
  reads: newest('reads'),
  storage: newest('storage'),
  writes: newest('writes'),
  indexing: newest('indexing'),
  uploads: newest('uploads'),
  idle: newest('idle'),
  gasPerWrite: readGas('paid.acceptSubmission with stake'),
} as Measured
const tables = {
  assumptions: assumptions(measured),
  capacity: capacityTable(measured),
  steps: stepTable(measured),
  indexes: indexTable(measured),
}

const before = readFileSync(path, 'utf8')
const after = Object.entries(tables).reduce((text, [name, table]) => replaceBlock(text, name, table), before)
if (values.check && after !== before) {
  console.error('docs/scaling.md differs from the kept benchmarks: run `node scripts/scaling.ts`')
  process.exit(1)
}
if (!values.check) writeFileSync(path, after)

/** The record of the last day on which a benchmark was kept, with its file's name. */
function newest(name: string): unknown {
  const pattern = new RegExp(`^${name}-\\d{4}-\\d\\d-\\d\\d\\.json$`)
  const file = readdirSync(benchmarks)
    .filter((one) => pattern.test(one))
    .toSorted()
    .at(-1)
  if (file === undefined) throw new Error(`there is no benchmark ${name} in docs/benchmarks: npm run bench -- ${name}`)
  return { file, ...JSON.parse(readFileSync(join(benchmarks, file), 'utf8')) }
}

/** Gas of an operation with a token bonus, as `node scripts/contracts/test.ts` accepts it. */
function readGas(operation: string): number {
  const path = join(repositoryRoot, 'contracts', 'snapshots', 'assignments-with-bonus.json')
  const gas: unknown = JSON.parse(readFileSync(path, 'utf8'))[operation]
  if (typeof gas !== 'number') throw new Error(`contracts/snapshots has no gas of "${operation}"`)
  return gas
}

/** Replaces what stands between the two comments of a name. */
function replaceBlock(text: string, name: string, table: string): string {
  const first = `<!-- figures ${name}: written by scripts/scaling.ts -->\n`
  const last = '<!-- end of figures -->'
  const start = text.indexOf(first)
  const end = text.indexOf(last, start)
  if (start < 0 || end < 0) throw new Error(`docs/scaling.md has no place for the figures "${name}"`)
  return `${text.slice(0, start + first.length)}\n${table}\n\n${text.slice(end)}`
}
