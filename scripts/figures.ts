/**
 * `node scripts/figures.ts`: writes docs/benchmarks/README.md and the tables of docs/scaling.md anew from
 * docs/benchmarks/figures.json, which `npm run bench` writes, and docs/mutation.md from docs/mutation.json, which
 * `npm run test:deep -- mutation` writes. With --check it changes nothing, and fails where a document differs.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'
import { readOptions } from '../ops/process/read-options.ts'
import { type Benchmarks, openFigures } from './figures/open-figures.ts'
import { toPage } from './figures/page.ts'
import { assumptions, capacityTable, indexTable, stepTable } from './figures/scaling-tables.ts'
import { readMutationFigures } from './mutation/figures.ts'
import { toMutationPage } from './mutation/page.ts'

const { values } = readOptions({ options: { check: { type: 'boolean', default: false } } })
const inDocs = (...path: string[]) => join(repositoryRoot, 'docs', ...path)
const benchmarks: Benchmarks = JSON.parse(readFileSync(inDocs('benchmarks', 'figures.json'), 'utf8'))
const measured = { figure: openFigures(benchmarks), gasPerWrite: readGas('paid.acceptSubmission with stake') }
const tables = {
  assumptions: assumptions(measured),
  capacity: capacityTable(measured),
  steps: stepTable(measured),
  indexes: indexTable(measured, benchmarks),
}
const scaling = readFileSync(inDocs('scaling.md'), 'utf8')
const documents = new Map([
  [inDocs('benchmarks', 'README.md'), toPage(benchmarks)],
  [inDocs('mutation.md'), toMutationPage(readMutationFigures())],
  [
    inDocs('scaling.md'),
    Object.entries(tables).reduce((text, [name, table]) => replaceBlock(text, name, table), scaling),
  ],
])
for (const [path, text] of documents) {
  if (!values.check) writeFileSync(path, text)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} differs from its figures: run \`node scripts/figures.ts\``)
    process.exitCode = 1
  }
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
  const first = `<!-- figures ${name}: written by scripts/figures.ts -->\n`
  const last = '<!-- end of figures -->'
  const start = text.indexOf(first)
  const end = text.indexOf(last, start)
  if (start < 0 || end < 0) throw new Error(`docs/scaling.md has no place for the figures "${name}"`)
  return `${text.slice(0, start + first.length)}\n${table}\n\n${text.slice(end)}`
}
