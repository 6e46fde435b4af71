import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import own from '../../package.json' with { type: 'json' }
import oldest from '../support/node20/package.json' with { type: 'json' }

/** The Nodes that npm installs with this repository: the oldest that the package allows, and the repository's own. */
const manifests = [
  { folder: join('test', 'support', 'node20'), names: oldest.optionalDependencies },
  { folder: '', names: own.optionalDependencies },
]

/**
 * The paths of every Node that npm has for this platform. Where npm has none, as for Windows, there is none.
 * @throws Error when one of them is not installed
 */
export function listInstalledNodes(): string[] {
  const platform = `${process.platform}-${process.arch}`
  return manifests.flatMap(({ folder, names }) => {
    const name = [`node-${platform}`, `node-bin-${platform}`].find((candidate) => candidate in names)
    if (name === undefined) return []
    const path = join(repositoryRoot, folder, 'node_modules', name, 'bin', 'node')
    if (!existsSync(path)) throw new Error(`${path} is not installed: run npm ci`)
    return [path]
  })
}
