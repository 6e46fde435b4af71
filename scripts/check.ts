/**
 * `npm run check`: checks everything that can be checked without a chain, in about a minute: format and lint (also of
 * Solidity), types, forbidden imports between folders, unused code, generated files that differ from their sources,
 * unit tests and API tests. Two steps run at a time. The output of a step is shown only if the step fails.
 *
 *   npm run check -- --static           without the tests
 *   npm run check -- --static --deep    solhint also checks the tests of the contracts
 */
import { join } from 'node:path'
import { localDirectory } from '../ops/process/paths.ts'
import { endLeftovers, endOwnProcesses } from '../ops/process/process-registry.ts'
import { type CommandRun, runNode } from './stack/run-command.ts'
import { onStopRequest } from './stack/stop-request.ts'

interface Step {
  name: string
  path: string
  args: string[]
}

const tests: Step = {
  name: 'unit and API tests',
  path: 'node_modules/vitest/vitest.mjs',
  args: ['run', '--reporter=minimal', '--project', 'unit', '--project', 'api'],
}

/** Folders whose imports are checked. The rules forbid some folders to import from others. */
const walledFolders = [
  'api',
  'graphql',
  'src',
  'abis',
  'client/src',
  'mcp',
  'protocol',
  'settings',
  'metrics',
  'web',
  'ops',
  'scripts',
  'test',
  'ponder.config.ts',
]

/**
 * Files that solhint checks. By default they do not include the tests of the contracts: solhint's parser takes three
 * times as long for the tests as for all other files, and forge already formats and lints the tests.
 */
const solidity = `contracts/{src,hooks,examples${process.argv.includes('--deep') ? ',test' : ''}}/**/*.sol`

/** The steps of the check. Long steps come first, so that short steps run beside them at the end. */
const steps: Step[] = [
  ...(process.argv.includes('--static') ? [] : [tests]),
  {
    name: 'types',
    // The compiler in Go: a third of the CPU time. What uses the compiler as a library still needs version 5.
    path: 'node_modules/typescript-native/bin/tsc',
    // Several threads work out the same types twice, half as much CPU time again, and another step has the other core.
    // What is found out is kept: the next check looks only at what changed since.
    args: [
      '--noEmit',
      '--project',
      '.',
      '--singleThreaded',
      '--incremental',
      '--tsBuildInfoFile',
      join(localDirectory, 'tsbuildinfo.json'),
    ],
  },
  { name: 'ABIs match the contracts', path: 'scripts/contracts/build.ts', args: ['--check'] },
  {
    name: 'import walls',
    path: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', ...walledFolders],
  },
  { name: 'unused code and dependencies', path: 'node_modules/knip/bin/knip.js', args: [] },
  { name: 'Solidity format and lint', path: 'scripts/contracts/lint.ts', args: [] },
  {
    name: 'Solidity style',
    path: 'node_modules/solhint/solhint.js',
    // Without looking for a newer version, and silent when there is nothing to say.
    args: ['--disc', '--noPoster', '--max-warnings', '0', solidity],
  },
  { name: 'format and lint', path: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '.'] },
  { name: 'the table of operations matches its entries', path: 'scripts/protocol-table.ts', args: ['--check'] },
  { name: 'the settings match their table', path: 'scripts/settings.ts', args: ['--check'] },
  { name: 'metrics, alerts and dashboards match their table', path: 'scripts/metrics.ts', args: ['--check'] },
  { name: 'docs/build/events.md matches the kinds', path: 'scripts/event-kinds.ts', args: ['--check'] },
  { name: 'diagrams match the tables', path: 'scripts/diagrams.ts', args: ['--check'] },
  { name: 'openapi.json matches the routes', path: 'scripts/openapi.ts', args: ['--check'] },
  { name: 'the client matches openapi.json', path: 'scripts/client-types.ts', args: ['--check'] },
  { name: 'web/generated matches the islands', path: 'scripts/build-web.ts', args: ['--check'] },
  { name: 'the drawings match the diagrams of docs/', path: 'scripts/draw-diagrams.ts', args: ['--check'] },
  {
    name: 'types of the islands',
    path: 'node_modules/typescript-native/bin/tsc',
    args: ['--noEmit', '--project', 'web/islands', '--singleThreaded'],
  },
  { name: 'documents match the benchmarks', path: 'scripts/figures.ts', args: ['--check'] },
  { name: 'market.sql matches the schema', path: 'scripts/schema/dump-schema.ts', args: ['--check'] },
  { name: 'doc blocks begin with a verb or a noun', path: 'scripts/doc-blocks.ts', args: [] },
  { name: 'links of documents', path: 'scripts/links.ts', args: [] },
  { name: 'package-lock.json is complete', path: 'scripts/complete-lock.ts', args: ['--check'] },
]

onStopRequest(async () => {
  await endOwnProcesses()
  // What vitest had started has lost its parent.
  await endLeftovers()
  process.exit(130)
})

await endLeftovers()
const startedAt = performance.now()
const queue = [...steps]
const failedSteps: string[] = []
await Promise.all([work(), work()])
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`\n${steps.length - failedSteps.length} of ${steps.length} checks passed in ${seconds} s`)
if (failedSteps.length > 0) {
  console.error(`failed: ${failedSteps.join(', ')}`)
  process.exit(1)
}

async function work(): Promise<void> {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    const run = await runNode(step.path, step.args, { name: step.name })
    report(step, run)
    if (run.exitCode !== 0) failedSteps.push(step.name)
  }
}

function report({ name }: Step, { exitCode, output, seconds }: CommandRun): void {
  console.log(`${seconds.toFixed(1).padStart(6)}s  ${exitCode === 0 ? 'ok    ' : 'FAILED'}  ${name}`)
  if (exitCode !== 0) console.log(output)
}
