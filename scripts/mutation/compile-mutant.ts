import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import solc from 'solc'
import { contractsRoot } from '../contracts/paths.ts'

export interface CompiledContract {
  file: string
  abi: unknown[]
  /** Creation code with the addresses of libraries inserted. */
  object: string
  /** Numbers of the sources whose code the contract contains. Empty if it was compiled without syntax trees. */
  sourceIds: Set<string>
}

interface SourceMap {
  sourceMap?: string
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { id: number; ast: unknown }>
  /** The compiled contracts, by source file below `contracts`, and then by name. */
  contracts?: Record<
    string,
    Record<string, { abi: unknown[]; evm: { bytecode: SourceMap & { object: string }; deployedBytecode?: SourceMap } }>
  >
}

/** Reads the sources of the contracts. @returns the texts by path below `contracts` */
export function readSources(): Map<string, string> {
  const files = globSync('src/**/*.sol', { cwd: contractsRoot }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(contractsRoot, file), 'utf8')]))
}

/**
 * Compiles sources with solc in this process, without the optimizer. A contract takes one to two seconds.
 * @param libraries addresses of libraries by name
 * @param files source files whose contracts are compiled
 * @param withTrees true to also return the syntax trees and the source maps
 */
export function compile(
  sources: Map<string, string>,
  libraries: Record<string, string>,
  { files, withTrees = false }: { files: string[]; withTrees?: boolean },
): Output {
  const wantedOutputs = ['abi', 'evm.bytecode.object']
  const maps = ['evm.bytecode.sourceMap', 'evm.deployedBytecode.sourceMap']
  const selection = withTrees ? { '*': [...wantedOutputs, ...maps], '': ['ast'] } : { '*': wantedOutputs }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([file, content]) => [file, { content }])),
    settings: {
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      libraries: Object.fromEntries(
        [...sources.keys()].flatMap((file) => {
          const name = basename(file, '.sol')
          return libraries[name] === undefined ? [] : [[file, { [name]: libraries[name] }]]
        }),
      ),
      outputSelection: Object.fromEntries(files.map((file) => [file, selection])),
    },
  }
  return JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
}

/** Lists the compiled contracts that have code. @returns the contracts by name; null if solc refused a source */
export function listCompiled({ errors, contracts }: Output): Map<string, CompiledContract> | null {
  if (errors?.some(({ severity }) => severity === 'error')) return null
  const compiledContracts = new Map<string, CompiledContract>()
  for (const [file, byName] of Object.entries(contracts ?? {})) {
    for (const [name, { abi, evm }] of Object.entries(byName)) {
      const { object } = evm.bytecode
      if (object === '') continue
      const maps = [evm.bytecode.sourceMap, evm.deployedBytecode?.sourceMap]
      compiledContracts.set(name, {
        file,
        abi,
        object,
        sourceIds: new Set(maps.flatMap((map) => listSourceIds(map ?? ''))),
      })
    }
  }
  return compiledContracts
}

/** Lists the numbers of the sources in a source map such as `1:2:3:-;:4;`. They are the third fields of its entries. */
function listSourceIds(map: string): string[] {
  return map.split(';').flatMap((entry) => entry.split(':')[2] || [])
}

function readImport(path: string): { contents: string } {
  return { contents: readFileSync(join(contractsRoot, 'lib', path), 'utf8') }
}
