import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runForge } from '../contracts/forge.ts'
import { linkedArtifacts } from '../contracts/linked-artifacts.ts'
import { contractsRoot } from '../contracts/paths.ts'
import type { CompiledContract } from './compile-mutant.ts'

/** Folder for the code that the tests deploy. It is below the Foundry project, in a folder that tests may read. */
const folder = join(linkedArtifacts, 'mutant')
/**
 * Test files that are not run. The tests of gas do not test behaviour. The invariant tests, with their random sequences
 * of calls, would take most of the time.
 */
const LEFT_OUT = 'test/{gas,invariant,bonus/invariant,sponsored/invariant}/*'
/** Time limit of a run: ten times the time that all suites take. */
const TIMEOUT_MS = 240_000
const environment = {
  FOUNDRY_PROFILE: 'tests',
  LINKED_ARTIFACTS: folder,
  // Code without the optimizer is larger than a chain takes.
  FOUNDRY_CODE_SIZE_LIMIT: '100000',
}

/**
 * Replaces all code that the suites deploy. @param contracts contracts by name @param libraries addresses of libraries
 * by name
 */
export function writeAllCode(contracts: Map<string, CompiledContract>, libraries: object): void {
  rmSync(join(contractsRoot, folder), { recursive: true, force: true })
  mkdirSync(join(contractsRoot, folder), { recursive: true })
  writeCode(contracts)
  writeFileSync(join(contractsRoot, folder, 'libraries.json'), JSON.stringify(libraries))
}

/** Replaces the code of some contracts that the suites deploy. */
export function writeCode(contracts: Iterable<[string, CompiledContract]>): void {
  for (const [name, { abi, object }] of contracts) {
    const artifact = JSON.stringify({ abi, bytecode: { object: `0x${object}` } })
    writeFileSync(join(contractsRoot, folder, `${name}.json`), artifact)
  }
}

/** Runs all suites. @returns the files in which a suite failed */
export async function listFailedSuites(): Promise<string[]> {
  const { output } = await runForge(['test', '--no-match-path', LEFT_OUT], { env: environment })
  const suites = [...output.matchAll(/^Ran \d+ tests? for ([^:]+):\w+$([\s\S]*?)^Suite result: (ok|FAILED)/gm)]
  if (suites.length === 0) throw new Error(`forge ran no suite\n${output}`)
  return suites.flatMap(([, file, , result]) => (file !== undefined && result === 'FAILED' ? [file] : []))
}

/** Returns true if a test of the given suites fails, or if the suites exceed the time limit. */
export async function isNoticed(suites: string[]): Promise<boolean> {
  if (suites.length === 0) return false
  const args = ['test', '--threads', '1', '--fail-fast', '--match-path', `{${suites.join(',')}}`]
  const { exitCode, output } = await runForge(args, { env: environment, timeout: TIMEOUT_MS })
  if (exitCode !== 0 && exitCode !== null && !output.includes('[FAIL')) throw new Error(`forge failed\n${output}`)
  return exitCode !== 0
}
