import type { Address, Hex } from 'viem'
import { type Artifact, readArtifact } from './artifacts.ts'

/** Returns creation code with the addresses of its libraries inserted. */
export function linkBytecode(artifact: Artifact, libraries: Record<string, Address>): Hex {
  return link(artifact.name, artifact.bytecode, libraries)
}

/**
 * Returns runtime code with the addresses of its libraries inserted. The values that the constructor writes are
 * missing.
 */
export function linkDeployedBytecode(artifact: Artifact, libraries: Record<string, Address>): Hex {
  return link(artifact.name, artifact.deployedBytecode, libraries)
}

function link(contract: string, bytecode: Artifact['bytecode'], libraries: Record<string, Address>): Hex {
  let code: string = bytecode.object
  for (const names of Object.values(bytecode.linkReferences)) {
    for (const [name, places] of Object.entries(names)) {
      const address = libraries[name]
      if (address === undefined) throw new Error(`${contract} needs library ${name}`)
      for (const { start, length } of places) code = replaceBytes(code, start, length, address.slice(2).toLowerCase())
    }
  }
  return code as Hex
}

/**
 * Lists the libraries that an artifact needs, directly or through other libraries. A library comes after the libraries
 * that it calls.
 */
export function listAllLibraries(artifact: Artifact): string[] {
  const names = listLibraries(artifact).flatMap((name) => [...listAllLibraries(readArtifact(name)), name])
  return [...new Set(names)]
}

/** Lists the names of the libraries that an artifact itself calls. */
function listLibraries(artifact: Artifact): string[] {
  return Object.values(artifact.bytecode.linkReferences).flatMap((names) => Object.keys(names))
}

function replaceBytes(code: string, start: number, length: number, replacement: string): string {
  const from = 2 + start * 2
  return code.slice(0, from) + replacement + code.slice(from + length * 2)
}
