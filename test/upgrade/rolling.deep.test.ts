import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { flattenDeploymentFile } from '../../protocol/rules/deployment-file.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { readRecordedRelease } from '../../scripts/release/recorded-release.ts'
import { createSeedClient } from '../../scripts/seed/seed-client.ts'
import { installPackages } from '../image/install-packages.ts'
import { type Market, prepareMarket } from '../image/market.ts'
import { createCleanups } from '../support/cleanups.ts'
import { installCommit, type ReleaseProgram, startProgram, untilLogged, untilReady } from './release.ts'

const cleanups = createCleanups()
const released = readRecordedRelease()
const roots = { before: '', now: repositoryRoot }
type Release = keyof typeof roots

let market: Market
let starts = 0

beforeAll(async () => {
  installPackages(['/usr/bin/psql'])
  roots.before = await installCommit(released.commit, cleanups)
  market = await prepareMarket(cleanups)
  // Older releases read a flat one, and newer ones both.
  const deployment = flattenDeploymentFile(JSON.parse(readFileSync(market.deploymentFile, 'utf8')))
  writeFileSync(market.deploymentFile, JSON.stringify(deployment))
}, 600_000)
afterAll(() => cleanups.run(), 600_000)

/** Starts a program, with the settings of all of them and its own login. */
async function start(release: Release, program: ReleaseProgram['program']): Promise<ReleaseProgram> {
  starts += 1
  const secret = (name: string) => readFileSync(join(market.secrets, name), 'utf8').trim()
  const settings = {
    DATABASE_URL: secret(program === 'indexer' ? 'indexer-database-url' : 'api-database-url'),
    READER_DATABASE_URL: secret('reader-database-url'),
    RPC_URL: market.anvil.url,
    DEPLOYMENT_FILE: market.deploymentFile,
    LOCAL_CHAIN: '1',
    LOCAL_DIRECTORY: market.directoryOf(`local-${starts}`, 0),
    RELAYER_KEYS: secret('relayer-keys'),
    URL_SIGNING_SECRET: secret('url-signing-secret'),
    DEVICE_KEY_SECRET: secret('device-key-secret'),
    ARTIFACT_DIR: join(dirname(market.deploymentFile), 'files'),
    // A test asks until the row is there.
    GRAPHQL_REQUESTS_PER_MINUTE: '60000',
  }
  const logFile = market.logFileOf(`${program}-${starts}`)
  const started = await startProgram(roots[release], program, { settings, logFile, cleanups })
  if (program !== 'indexer') await untilReady(started)
  return started
}

/** Pays for a task at one process, and waits until it and all of `readers` show it. */
async function writeAt(api: ReleaseProgram, step: string, readers: ReleaseProgram[]): Promise<void> {
  const client = createSeedClient({ baseUrl: api.url, name: 'upgrade' })
  const description = `A task ${step}`
  const taskId = await client.createTask('requester', step, { description, reward: '1000000', mode: 'bounty' })
  for (const reader of [api, ...readers]) {
    const expected = reader.program === 'graphql' ? { data: { task: { id: taskId } } } : { id: taskId, description }
    await expect.poll(() => readTask(reader, taskId), { message: step }).toMatchObject(expected)
  }
}

async function readTask({ program, url }: ReleaseProgram, taskId: string): Promise<unknown> {
  if (program === 'api') return await (await fetch(`${url}/api/tasks/${taskId}`)).json()
  const body = JSON.stringify({ query: `{ task(id: "${taskId}") { id } }` })
  return await (
    await fetch(`${url}/graphql`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  ).json()
}

/**
 * True where rows or tables are for a newer data version, and the old API has ended by itself: the changelog tells the operator to stop
 * it before.
 */
async function hasEnded({ child }: ReleaseProgram): Promise<boolean> {
  const url = readFileSync(join(market.secrets, 'api-database-url'), 'utf8').trim()
  const [row] = await withConnection(
    url,
    (sql) => sql<{ version: number }[]>`
      SELECT greatest(max(oldest_version), (SELECT oldest_version FROM market.indexed_head))::int AS version
      FROM service.migrations`,
  )
  if (Number(row?.version) <= released.dataVersion) return false
  expect(await child.ended).toEqual({ description: 'code 1' })
  expect(child.readLog()).toContain('the service cannot continue')
  return true
}

test('an upgrade and the way back: at each step a paid write is completed, and every process that runs shows it', async () => {
  const oldIndexer = await start('before', 'indexer')
  await untilLogged(oldIndexer, /is served/)
  const oldApi = await start('before', 'api')
  await writeAt(oldApi, 'before the upgrade', [])

  // The indexer: beside the old one where its rows are others, and otherwise it waits for the old one's end.
  const newIndexer = await start('now', 'indexer')
  await untilLogged(newIndexer, /is served|waiting for its end/)
  await oldIndexer.child.stop()
  await untilLogged(newIndexer, /is served/)
  if (await hasEnded(oldApi)) return await writeAt(await start('now', 'api'), 'at the new API alone', [])
  const oldGraphql = await start('before', 'graphql')
  await writeAt(oldApi, 'at the old API on the rows of the new indexer', [oldGraphql])

  // The API, which migrates the tables, process by process.
  const newApi = await start('now', 'api')
  if (await hasEnded(oldApi)) return await writeAt(newApi, 'at the new API alone', [])
  await writeAt(newApi, 'at the new API beside the old one', [oldApi])
  await writeAt(oldApi, 'at the old API on the new tables', [newApi])
  await oldApi.child.stop()
  const newGraphql = await start('now', 'graphql')
  await writeAt(newApi, 'at the new API alone', [newGraphql])

  // The way back of the API.
  const oldAgain = await start('before', 'api')
  await writeAt(oldAgain, 'at the old API that was started on the new tables', [newApi])

  // The way back of the indexer.
  const indexerAgain = await start('before', 'indexer')
  await untilLogged(indexerAgain, /is served|waiting for its end/)
  await newIndexer.child.stop()
  await untilLogged(indexerAgain, /is served/)
  await writeAt(newApi, 'at the new API on the rows of the old indexer', [oldAgain, oldGraphql, newGraphql])
  await newApi.child.stop()
  await writeAt(oldAgain, 'after the way back', [])
}, 600_000)
