import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listSourceArtifacts, readArtifact } from './artifacts.ts'
import { linkBytecode, listAllLibraries } from './link.ts'
import { contractsRoot } from './paths.ts'
import { planLibraries } from './plan-libraries.ts'

/** Folder for linked artifacts, relative to the Foundry project. `foundry.toml` allows tests to read this folder. */
export const linkedArtifacts = join('cache', 'linked')

/**
 * Writes the creation code of each contract in `src`, with the addresses of its libraries inserted. Also writes
 * `libraries.json`, which contains these addresses by name. The contracts must be compiled.
 */
export function writeLinkedArtifacts(): void {
  const folder = join(contractsRoot, linkedArtifacts)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const write = (name: string, content: object) =>
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content)}\n`)
  const libraries = planLibraries(['TaskMarket', 'BonusHook'].map(readArtifact).flatMap(listAllLibraries))
  const addresses = Object.fromEntries(libraries.map(({ name, address }) => [name, address]))
  for (const artifact of listSourceArtifacts()) {
    if (artifact.bytecode.object === '0x') continue
    write(artifact.name, { abi: artifact.abi, bytecode: { object: linkBytecode(artifact, addresses) } })
  }
  write('libraries', addresses)
}
