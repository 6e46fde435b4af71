import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledContract, compile, listCompiled, readSources } from './compile-mutant.ts'
import { listFailedSuites, writeAllCode, writeCode } from './forge-suites.ts'

export interface PreparedContracts {
  /** Text by path below `contracts`. */
  sources: Map<string, string>
  trees: Map<string, unknown>
  /** Addresses by name. */
  libraries: Record<string, string>
  contracts: Map<string, CompiledContract>
  /** Names of the contracts whose code has parts of a source. */
  withSource(source: string): string[]
  /** By contract, the suites that fail when its every call does. */
  reach: Record<string, string[]>
}

/** Creation code of a contract whose every call fails. */
const BROKEN = '60fe60005360016000f3'

/** Compiles the contracts unchanged, and determines which suites reach which of them: once for the same fingerprint. */
export async function prepareContracts(folder: string, fingerprint: string): Promise<PreparedContracts> {
  const sources = readSources()
  const names = [...sources.values()].flatMap((text) => /^library (\w+)/m.exec(text)?.[1] ?? [])
  const libraries = Object.fromEntries(
    names.map((name, index) => [name, `0x${(index + 0x10000).toString(16).padStart(40, '0')}`]),
  )
  const output = compile(sources, libraries, { files: [...sources.keys()], withTrees: true })
  const contracts = listCompiled(output)
  if (contracts === null) throw new Error('the contracts do not compile')
  writeAllCode(contracts, libraries)
  const failed = await listFailedSuites()
  if (failed.length > 0) throw new Error(`suites fail without a mutant: ${failed.join(', ')}`)
  const ids = new Map(Object.entries(output.sources).map(([source, { id }]) => [source, String(id)]))
  const withSource = (source: string) => {
    const own = [...contracts].filter(([, { sourceIds }]) => sourceIds.has(ids.get(source) ?? ''))
    // A factory holds the code of what it creates.
    const holders = [...contracts].filter(([, { object }]) => own.some(([, part]) => object.includes(part.object)))
    return [...new Set([...own, ...holders].map(([name]) => name))]
  }
  const reach = await findReach(contracts, join(folder, 'reach.json'), fingerprint)
  const trees = new Map(Object.entries(output.sources).map(([source, { ast }]) => [source, ast]))
  return { sources, trees, libraries, contracts, withSource, reach }
}

async function findReach(contracts: Map<string, CompiledContract>, path: string, fingerprint: string) {
  const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  if (stored?.fingerprint === fingerprint) return stored.reach
  const reach: Record<string, string[]> = {}
  for (const [name, contract] of contracts) {
    writeCode([[name, { ...contract, object: BROKEN }]])
    reach[name] = await listFailedSuites()
    writeCode([[name, contract]])
  }
  writeFileSync(path, JSON.stringify({ fingerprint, reach }))
  return reach
}
