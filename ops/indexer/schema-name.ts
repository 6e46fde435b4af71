import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { repositoryRoot } from '../process/paths.ts'

/**
 * The Postgres schema of a deployment's tables: `idx_` and 16 hex digits of everything that decides what they hold
 * (config, schema, handlers and rules, the ABIs they name, the contracts' addresses, Ponder's version), and the
 * generation. A change of any makes another schema, which is built beside the old one while that is still read.
 * @param generation how often the chain was indexed again to repair the rows
 */
export function schemaNameOf(deploymentFile: string, generation = 0): string {
  const hash = createHash('sha256')
  const sources = listSources()
  const abis = new Set(sources.flatMap(({ content }) => content.match(/(?<=\/)abis\/[\w-]+\.ts(?=')/g) ?? []))
  for (const { path, content } of [...sources, ...[...abis].sort().map(readSource)]) {
    hash.update(`${path}\0${content}\0`)
  }
  hash.update(ponderVersion())
  hash.update(JSON.stringify(JSON.parse(readFileSync(deploymentFile, 'utf8'))))
  if (generation > 0) hash.update(`generation ${generation}`)
  return `idx_${hash.digest('hex').slice(0, 16)}`
}

interface Source {
  path: string
  content: string
}

/** What Ponder itself counts as the build: its HTTP routes in src/api are not part of it. */
function listSources(): Source[] {
  const handlers = readdirSync(join(repositoryRoot, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('src/api/'))
  return ['ponder.config.ts', 'ponder.schema.ts', ...handlers.sort()].map(readSource)
}

function readSource(path: string): Source {
  return { path, content: readFileSync(join(repositoryRoot, path), 'utf8') }
}

function ponderVersion(): string {
  const manifest = readFileSync(join(repositoryRoot, 'node_modules', 'ponder', 'package.json'), 'utf8')
  return String(JSON.parse(manifest).version)
}
