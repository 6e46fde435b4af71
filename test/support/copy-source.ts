import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'

const copied = ['src', 'abis', 'protocol', 'ponder.config.ts', 'ponder.schema.ts', 'package.json', 'tsconfig.json']

/** Copies what Ponder loads of this repository into an empty directory; the packages are those of the repository. */
export function copySource(directory: string): void {
  for (const name of copied) cpSync(join(repositoryRoot, name), join(directory, name), { recursive: true })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(directory, 'node_modules'))
}
