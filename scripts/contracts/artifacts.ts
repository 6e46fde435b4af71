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

/** Reads what forge compiled for one of our own contracts, libraries or interfaces. */
export function readArtifact(name: string): Artifact {
  const path = join(contractsRoot, 'out', `${name}.sol`, `${name}.json`)
  const { abi, bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'))
  return { name, abi, bytecode, deployedBytecode }
}

/** How a contract was compiled, as the compiler says it. */
export type CompilerMetadata = {
  compiler: { version: string }
  language: string
  settings: { compilationTarget: Record<string, string>; libraries?: unknown } & Record<string, unknown>
  /** By path, below the Foundry project. */
  sources: Record<string, unknown>
}

export function readMetadata(name: string): CompilerMetadata {
  const path = join(contractsRoot, 'out', `${name}.sol`, `${name}.json`)
  return JSON.parse(readFileSync(path, 'utf8')).metadata
}

/**
 * Reads the forwarder of deployments whose file has no `bound`: tests deploy it, and its ABI is generated beside the present
 * one, so that service, indexer and client go on working with such a deployment.
 */
export function readForwarderBeforeBound(): Artifact {
  return JSON.parse(readFileSync(join(contractsRoot, 'earlier', 'payment-forwarder-before-bound.json'), 'utf8'))
}

/** Names of everything under `contracts/src`, in order; each file there holds one contract of its own name or types. */
export function listSourceArtifacts(): Artifact[] {
  return globSync('src/**/*.sol', { cwd: contractsRoot })
    .map((file) => basename(file, '.sol'))
    .sort()
    .filter((name) => globSync(join('out', `${name}.sol`, `${name}.json`), { cwd: contractsRoot }).length > 0)
    .map(readArtifact)
}
