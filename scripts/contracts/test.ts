/**
 * Runs all checks of the contracts that need no other part of the stack.
 *
 *   node scripts/contracts/test.ts                format, trees, tests, sizes, gas, deployment
 *   node scripts/contracts/test.ts --update-gas   the same, and accept the measured gas
 *   node scripts/contracts/test.ts --night        fuzz and invariants for hours instead of seconds
 */

import { listSourceArtifacts } from './artifacts.ts'
import { findDeployProblems } from './check-deploy.ts'
import { measureGas } from './check-gas.ts'
import { findChecklistProblems, findTreeProblems } from './check-trees.ts'
import { compileContracts } from './compile.ts'
import { runForge } from './forge.ts'
import { linkedArtifacts, writeLinkedArtifacts } from './linked-artifacts.ts'
import { formattedFolders } from './paths.ts'

/** Maximum size of a contract's code in bytes (EIP-170). */
const sizeLimit = 24_576
/** Share of `sizeLimit` that must stay free, so that a later fix has room. */
const sparePart = 0.05

type Size = { name: string; bytes: number; isTooLarge: boolean }

/**
 * Lists the code sizes of all contracts and libraries in `contracts/src`, the largest first. Interfaces have no code
 * and are left out.
 */
function listSizes(): Size[] {
  return listSourceArtifacts()
    .map(({ name, deployedBytecode }) => ({ name, bytes: (deployedBytecode.object.length - 2) / 2 }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => ({ name, bytes, isTooLarge: bytes > sizeLimit * (1 - sparePart) }))
}

const isNight = process.argv.includes('--night')
const problems: string[] = []

await compileContracts()
writeLinkedArtifacts()
await step('format', checkFormat)
await step('trees', async () => report([...findTreeProblems(), ...findChecklistProblems()], 'every leaf has its test'))
const counts = await step('tests', runTests)
await step('sizes', checkSizes)
await step('gas', checkGas)
await step('deploy', async () => report(await findDeployProblems(), 'deployed twice, a task and a registration paid'))

for (const problem of problems) console.error(`\n${problem}`)
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(problems.length === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1)

async function step<T extends { summary: string }>(name: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await run()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name.padEnd(8)} ${result.summary} (${seconds} s)`)
  return result
}

async function checkFormat() {
  const { exitCode, output } = await runForge(['fmt', '--check', ...formattedFolders])
  return report(exitCode === 0 ? [] : [`forge fmt --check\n${output}`], 'formatted')
}

async function runTests() {
  const env: Record<string, string> = isNight
    ? { FOUNDRY_PROFILE: 'night' }
    : { FOUNDRY_PROFILE: 'tests', LINKED_ARTIFACTS: linkedArtifacts }
  const { exitCode, output } = await runForge(['test'], { env })
  const match = /(\d+) tests passed, (\d+) failed, (\d+) skipped/.exec(output)
  const [passedCount = 0, failedCount = 0, skippedCount = 0] = (match ?? []).slice(1).map(Number)
  const isGood = exitCode === 0 && match !== null && skippedCount === 0
  if (!isGood) problems.push(`forge test\n${output}`)
  return {
    passed: passedCount,
    failed: failedCount,
    skipped: skippedCount,
    summary: `${passedCount} passed, ${failedCount} failed`,
  }
}

async function checkSizes() {
  const sizes = listSizes()
  const tooLarge = sizes.filter((size) => size.isTooLarge).map(({ name, bytes }) => `${name} has ${bytes} bytes`)
  return report(tooLarge, sizes.map(({ name, bytes }) => `${name} ${bytes}`).join(', '))
}

async function checkGas() {
  const gas = await measureGas(process.argv.includes('--update-gas'))
  return report(gas.problems, `${Object.keys(gas.figures).length} figures within 5 % of the committed ones`)
}

function report(foundProblems: string[], goodText: string) {
  problems.push(...foundProblems)
  return { summary: foundProblems.length === 0 ? goodText : `${foundProblems.length} problems` }
}
