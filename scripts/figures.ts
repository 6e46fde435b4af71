/**
 * `node scripts/figures.ts`: generates documents from measured figures. docs/internals/benchmarks/README.md and the
 * tables of docs/internals/scaling.md come from docs/internals/benchmarks/figures.json, which `npm run bench` writes.
 * docs/internals/mutation.md comes from docs/internals/mutation.json, which `npm run test:deep -- mutation` writes.
 * With `--check` it changes nothing, and fails if a document differs.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'
import { readOptions } from '../ops/process/read-options.ts'
import { type Benchmarks, openFigures } from './figures/open-figures.ts'
import { toPage } from './figures/page.ts'
import { assumptions, capacityTable, stepTable } from './figures/scaling-tables.ts'
import { readMutationFigures } from './mutation/figures.ts'
import { toMutationPage } from './mutation/page.ts'
import { replaceBlock } from './replace-block.ts'

const { values } = readOptions({ options: { check: { type: 'boolean', default: false } } })
const inInternals = (...path: string[]) => join(repositoryRoot, 'docs', 'internals', ...path)
const benchmarks: Benchmarks = JSON.parse(readFileSync(inInternals('benchmarks', 'figures.json'), 'utf8'))
const measurements = { figure: openFigures(benchmarks), gasPerWrite: readGas('paid.acceptSubmission with stake') }
const tables = {
  assumptions: assumptions(measurements),
  capacity: capacityTable(measurements),
  steps: stepTable(measurements),
}
const scaling = readFileSync(inInternals('scaling.md'), 'utf8')
const documents = new Map([
  [inInternals('benchmarks', 'README.md'), toPage(benchmarks)],
  [inInternals('mutation.md'), toMutationPage(readMutationFigures())],
  [
    inInternals('scaling.md'),
    Object.entries(tables).reduce(
      (text, [name, table]) => replaceBlock(text, marksOf(name), `\n${table}\n\n`),
      scaling,
    ),
  ],
])
for (const [path, text] of documents) {
  if (!values.check) writeFileSync(path, text)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} differs from its figures: run \`node scripts/figures.ts\``)
    process.exitCode = 1
  }
}

/**
 * Returns the committed gas figure of an operation with a token bonus. `node scripts/contracts/test.ts --update-gas`
 * writes these figures.
 */
function readGas(operation: string): number {
  const path = join(repositoryRoot, 'contracts', 'snapshots', 'assignments-with-bonus.json')
  const gas: unknown = JSON.parse(readFileSync(path, 'utf8'))[operation]
  if (typeof gas !== 'number') throw new Error(`contracts/snapshots has no gas of "${operation}"`)
  return gas
}

/** Returns the comments in docs/internals/scaling.md between which a generated table is written. */
function marksOf(name: string): { begin: string; end: string } {
  return { begin: `<!-- figures ${name}: written by scripts/figures.ts -->\n`, end: '<!-- end of figures -->' }
}
