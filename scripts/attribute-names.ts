/**
 * Writes api/analytics/attribute-names.json: the names that `t.name` could call as a function, or as a cast, of
 * PostgreSQL's own (see `find-refusal.ts`). Run it after a change of the embedded PostgreSQL.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'
import { attributeNamesOf } from './postgres/attribute-names.ts'
import { startPostgres } from './postgres/postgres.ts'

const server = await startPostgres()
try {
  const names = await attributeNamesOf(server.url)
  writeFileSync(join(repositoryRoot, 'api', 'analytics', 'attribute-names.json'), `${JSON.stringify(names)}\n`)
  console.log(`${names.length} names`)
} finally {
  await server.stop()
}
