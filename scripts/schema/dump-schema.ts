import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { marketFacts, viewFacts } from './column-facts.ts'
import { marketDdl } from './market-ddl.ts'
import { marketTexts } from './market-texts.ts'
import { tableDictionary } from './table-dictionary.ts'

/**
 * Writes the files that are generated from the schema: the SQL for tests that need rows without a chain, the texts that
 * the indexer writes as comments, the facts about columns that a view does not show, and the data dictionary. Throws if
 * a table or a column has no text. With `--check` it writes nothing, and exits with 1 if a committed file differs.
 */
const texts = await marketTexts()
const facts = await marketFacts(texts)
const files = [
  { path: join('test', 'support', 'sql', 'market.sql'), content: await marketDdl() },
  { path: join('api', 'db', 'market-texts.json'), content: `${JSON.stringify(texts, null, 2)}\n` },
  { path: join('api', 'db', 'view-facts.json'), content: `${JSON.stringify(viewFacts(facts), null, 2)}\n` },
  { path: join('docs', 'build', 'tables.md'), content: tableDictionary(texts, facts) },
]
const staleFiles = files.filter(({ path, content }) => readIfThere(join(repositoryRoot, path)) !== content)

if (process.argv.includes('--check')) {
  for (const { path } of staleFiles)
    console.error(`${path} differs from src/schema: run node scripts/schema/dump-schema.ts`)
  if (staleFiles.length > 0) process.exit(1)
} else {
  for (const { path, content } of staleFiles) writeFileSync(join(repositoryRoot, path), content)
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
