import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { marketDdl } from './market-ddl.ts'
import { tableDictionary } from './table-dictionary.ts'

/**
 * Writes what is generated from the schema: the SQL for tests that need rows without a chain, and the data dictionary.
 * With `--check` it writes nothing and exits with 1 when a committed file differs.
 */
const files = [
  { path: join('test', 'support', 'sql', 'market.sql'), content: await marketDdl() },
  { path: join('docs', 'tables.md'), content: await tableDictionary() },
]
const stale = files.filter(({ path, content }) => readIfThere(join(repositoryRoot, path)) !== content)

if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} differs from src/schema: run node scripts/schema/dump-schema.ts`)
  if (stale.length > 0) process.exit(1)
} else {
  for (const { path, content } of stale) writeFileSync(join(repositoryRoot, path), content)
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
