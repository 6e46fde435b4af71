import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledContract, compile, listCompiled, readSources } from './compile-mutant.ts'
import { listFailedSuites, writeAllCode, writeCode } from './forge-suites.ts'

export interface PreparedContracts {
  /** Texts of the sources, by path below `contracts`. */
  sources: Map<string, string>
  trees: Map<string, unknown>
  /** Addresses of libraries, by name. */
  libraries: Record<string, string>
  contracts: Map<string, CompiledContract>
  /** Returns the names of the contracts that contain code of a source. */
  withSource(source: string): string[]
  /**
   * Returns the suites that call a contract: they fail if every call of the contract fails. The result is stored until
   * the fingerprint of sources and suites changes.
   */
  reachOf(name: string): Promise<string[]>
}

/** Creation code of a contract in which every call fails. */
const BROKEN = '60fe60005360016000f3'

/** Compiles the unchanged contracts, and checks that all suites pass with them. */
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
  const failedSuites = await listFailedSuites()
  if (failedSuites.length > 0) throw new Error(`suites fail without a mutant: ${failedSuites.join(', ')}`)
  const ids = new Map(Object.entries(output.sources).map(([source, { id }]) => [source, String(id)]))
  const withSource = (source: string) => {
    const ownContracts = [...contracts].filter(([, { sourceIds }]) => sourceIds.has(ids.get(source) ?? ''))
    // A factory holds the code of what it creates.
    const holders = [...contracts].filter(([, { object }]) =>
      ownContracts.some(([, part]) => object.includes(part.object)),
    )
    return [...new Set([...ownContracts, ...holders].map(([name]) => name))]
  }
  const trees = new Map(Object.entries(output.sources).map(([source, { ast }]) => [source, ast]))
  const reachOf = (name: string) => findReach(name, contracts, join(folder, `reach-${name}.json`), fingerprint)
  return { sources, trees, libraries, contracts, withSource, reachOf }
}

async function findReach(
  name: string,
  contracts: Map<string, CompiledContract>,
  path: string,
  fingerprint: string,
): Promise<string[]> {
  const storedSuites = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  if (storedSuites?.fingerprint === fingerprint) return storedSuites.suites
  const contract = contracts.get(name)
  if (contract === undefined) return []
  writeCode([[name, { ...contract, object: BROKEN }]])
  const suites = await listFailedSuites()
  writeCode([[name, contract]])
  writeFileSync(path, JSON.stringify({ fingerprint, suites }))
  return suites
}
