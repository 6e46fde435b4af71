import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { contractsRoot } from './paths.ts'

/** Byte ranges of the code into which the address of a library is inserted, by source file and library name. */
type LinkReferences = Record<string, Record<string, { start: number; length: number }[]>>

export type Artifact = {
  name: string
  abi: Abi
  bytecode: { object: Hex; linkReferences: LinkReferences }
  deployedBytecode: {
    object: Hex
    linkReferences: LinkReferences
    /** Byte ranges of the code that the constructor writes. */
    immutableReferences?: Record<string, { start: number; length: number }[]>
  }
}

/** Reads the compiled artifact of one of our contracts, libraries or interfaces. Example: `readArtifact('TaskMarket')`. */
export function readArtifact(name: string): Artifact {
  const path = join(contractsRoot, 'out', `${name}.sol`, `${name}.json`)
  const { abi, bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'))
  return { name, abi, bytecode, deployedBytecode }
}

/** The settings of a compilation, as the compiler writes them into a contract's metadata. */
export type CompilerMetadata = {
  compiler: { version: string }
  language: string
  settings: { compilationTarget: Record<string, string>; libraries?: unknown } & Record<string, unknown>
  /** Sources by path below the Foundry project. */
  sources: Record<string, unknown>
}

export function readMetadata(name: string): CompilerMetadata {
  const path = join(contractsRoot, 'out', `${name}.sol`, `${name}.json`)
  return JSON.parse(readFileSync(path, 'utf8')).metadata
}

/**
 * Reads the old forwarder, which does not know bound payments. Deployments whose file has no `bound` use it. Tests
 * deploy the old forwarder, and its ABI is generated beside the ABI of the current one. Service, indexer and client
 * therefore support such a deployment.
 */
export function readForwarderBeforeBound(): Artifact {
  return JSON.parse(readFileSync(join(contractsRoot, 'earlier', 'payment-forwarder-before-bound.json'), 'utf8'))
}

/**
 * Returns the compiled artifacts of all contracts, libraries and interfaces in `contracts/src`, sorted by name. Each
 * source contains either one contract with the name of the file, or only types.
 */
export function listSourceArtifacts(): Artifact[] {
  return globSync('src/**/*.sol', { cwd: contractsRoot })
    .map((file) => basename(file, '.sol'))
    .sort()
    .filter((name) => globSync(join('out', `${name}.sol`, `${name}.json`), { cwd: contractsRoot }).length > 0)
    .map(readArtifact)
}
