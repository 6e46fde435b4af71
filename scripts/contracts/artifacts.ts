import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { contractsRoot } from './paths.ts'

/** Places in the code where a library's address goes: source file, then library name. */
type LinkReferences = Record<string, Record<string, { start: number; length: number }[]>>

export type Artifact = {
  name: string
  abi: Abi
  bytecode: { object: Hex; linkReferences: LinkReferences }
  deployedBytecode: {
    object: Hex
    linkReferences: LinkReferences
    /** Places that the constructor writes. */
    immutableReferences?: Record<string, { start: number; length: number }[]>
  }
}

/** Reads the compiled artifact of one of our contracts, libraries or interfaces. Example: `readArtifact('TaskMarket')`. */
export function readArtifact(name: string): Artifact {
  const path = join(contractsRoot, 'out', `${name}.sol`, `${name}.json`)
  const { abi, bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'))
  return { name, abi, bytecode, deployedBytecode }
}

/** The settings of a compilation in the compiler's metadata. */
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
 * Reads the forwarder of deployments whose file has no `bound`. Tests deploy it, and its ABI is generated beside the present one,
 * so that service, indexer and client support such a deployment.
 */
export function readForwarderBeforeBound(): Artifact {
  return JSON.parse(readFileSync(join(contractsRoot, 'earlier', 'payment-forwarder-before-bound.json'), 'utf8'))
}

/** Lists the names of all sources in `contracts/src`, sorted. Each file there has one contract of its own name, or types. */
export function listSourceArtifacts(): Artifact[] {
  return globSync('src/**/*.sol', { cwd: contractsRoot })
    .map((file) => basename(file, '.sol'))
    .sort()
    .filter((name) => globSync(join('out', `${name}.sol`, `${name}.json`), { cwd: contractsRoot }).length > 0)
    .map(readArtifact)
}
