/**
 * Records the schema of a release of the service in test/support/sql/released-schema.json. Tests check that the current
 * schema is compatible with the recorded one. `npm run test:deep -- upgrade` runs the two releases beside each other.
 * The script needs a clone that has the commit. It needs no running program.
 *
 *   node scripts/schema/record-release.ts              the newest tag `service@...`
 *   node scripts/schema/record-release.ts <commit>     any commit
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '../../api/db/client.ts'
import { migrate } from '../../api/db/migrate.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { extractCommit } from '../release/extract-commit.ts'
import { type RecordedRelease, recordedFile } from '../release/recorded-release.ts'
import { runCommand } from '../stack/run-command.ts'
import { readSchemaFacts } from './schema-facts.ts'

const MIGRATIONS = join('api', 'db', 'migrations')
const VERSION = join('api', 'db', 'data-version.ts')
const MARKET = join('test', 'support', 'sql', 'market.sql')

const release = process.argv[2] ?? (await git('tag', '--list', 'service@*', '--sort=-version:refname')).split('\n')[0]
if (!release) throw new Error('There is no tag service@... yet: name a commit.')
const commit = (await git('rev-parse', `${release}^{commit}`)).trim()

const directory = mkdtempSync(join(tmpdir(), 'task-market-release-'))
const server = await startPostgres()
const sql = connectDatabase({ url: server.url, max: 1 })
try {
  await extractCommit(commit, directory, [MIGRATIONS, VERSION, MARKET])
  const read = (file: string) => readFileSync(join(directory, file), 'utf8')
  const [, dataVersion] = /DATA_VERSION = (\d+)/.exec(read(VERSION)) ?? []
  await migrate(sql, join(directory, MIGRATIONS))
  await sql.unsafe(`create schema market; set search_path = market; ${read(MARKET)}; reset search_path`)
  const recordedRelease: RecordedRelease = { commit, dataVersion: Number(dataVersion), ...(await readSchemaFacts(sql)) }
  writeFileSync(recordedFile, `${JSON.stringify(recordedRelease, null, 2)}\n`)
} finally {
  await sql.end()
  await server.stop()
  rmSync(directory, { recursive: true })
}

/** Runs git. @returns its standard output @throws with git's own message */
async function git(...args: string[]): Promise<string> {
  const { exitCode, output } = await runCommand('git', args, { name: 'git' })
  if (exitCode === 0) return output
  throw new Error(`git ${args.join(' ')} failed: ${output.trim()}`)
}
