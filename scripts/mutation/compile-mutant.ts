import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import solc from 'solc'
import { contractsRoot } from '../contracts/paths.ts'

export interface CompiledContract {
  file: string
  abi: unknown[]
  /** Creation code, linked. */
  object: string
  /** The sources whose code it has, by their number; empty without trees. */
  sourceIds: Set<string>
}

interface SourceMap {
  sourceMap?: string
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { id: number; ast: unknown }>
  /** By file below `contracts`, then by name. */
  contracts?: Record<
    string,
    Record<string, { abi: unknown[]; evm: { bytecode: SourceMap & { object: string }; deployedBytecode?: SourceMap } }>
  >
}

/** Reads all sources by path below `contracts`. */
export function readSources(): Map<string, string> {
  const files = globSync('src/**/*.sol', { cwd: contractsRoot }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(contractsRoot, file), 'utf8')]))
}

/**
 * Compiles by solc within this process, without the optimizer: a second or two for a contract.
 * @param libraries addresses by name
 * @param files whose contracts are compiled
 * @param withTrees also returns the syntax trees and source maps
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

/** @returns the contracts by name that have code, or null if a source is refused */
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

/** Lists the third fields of a source map such as `1:2:3:-;:4;`: the numbers of sources. */
function listSourceIds(map: string): string[] {
  return map.split(';').flatMap((entry) => entry.split(':')[2] || [])
}

function readImport(path: string): { contents: string } {
  return { contents: readFileSync(join(contractsRoot, 'lib', path), 'utf8') }
}
