import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { repositoryRoot } from '../process/paths.ts'
import { readReachedFiles } from './reached-files.ts'
import { withoutComments } from './without-comments.ts'

export interface SchemaNameOptions {
  /** Generation number of the rows: how often the whole chain was indexed again to repair the rows. Default 0. */
  generation?: number
  /** Directory with the indexer's source. Default: the root of this repository. */
  root?: string
}

/**
 * Returns the name of the PostgreSQL schema for a deployment's tables: `idx_` and 16 hex digits of a hash. Example:
 * `idx_5f0c2a9be41d7783`.
 *
 * The hash covers everything that decides the rows: the source, the contracts' addresses, Ponder's version and the
 * generation. The source is the config, the schema, the handlers, and every file that they import. A change of any of
 * these gives another schema, which is built while readers still use the old one. Comments are not hashed, so an edited
 * comment does not require the chain to be indexed again.
 *
 * This name replaces Ponder's own build id, which ignores imports from outside `src` and depends on comments. Ponder
 * runs with an option that makes it ignore the build id (ponder-process.ts).
 * @param deploymentFile path of a JSON file in the format of deployments/<chainId>.json
 */
export function schemaNameOf(
  deploymentFile: string,
  { generation = 0, root = repositoryRoot }: SchemaNameOptions = {},
): string {
  const hash = createHash('sha256')
  for (const [path, content] of readSources(root)) hash.update(`${path}\0${withoutComments(path, content)}\0`)
  hash.update(ponderVersion())
  // Fields that the deploy command stores for itself decide no row.
  const { setup: _setup, rpcUrl: _rpcUrl, ...deployment } = JSON.parse(readFileSync(deploymentFile, 'utf8'))
  hash.update(JSON.stringify(deployment))
  if (generation > 0) hash.update(`generation ${generation}`)
  return `idx_${hash.digest('hex').slice(0, 16)}`
}

/**
 * Returns the contents, by path, of the files that decide the rows: the files that Ponder loads, and all their imports.
 */
export function readSources(root: string = repositoryRoot): Map<string, string> {
  return readReachedFiles(listEntries(root), (path) => readFileSync(join(root, path), 'utf8'))
}

/**
 * Lists the files that Ponder loads to write rows. The HTTP routes in src/api are excluded, because they write no rows.
 */
function listEntries(root: string): string[] {
  const handlers = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('src/api/'))
  return ['ponder.config.ts', 'ponder.schema.ts', ...handlers]
}

function ponderVersion(): string {
  const manifest = readFileSync(join(repositoryRoot, 'node_modules', 'ponder', 'package.json'), 'utf8')
  return String(JSON.parse(manifest).version)
}
