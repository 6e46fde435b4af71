import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
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
  roots.before = installCommit(released.commit, cleanups)
  market = await prepareMarket(cleanups)
  // Older releases read a flat one, and newer ones both.
  const deployment = flattenDeploymentFile(JSON.parse(readFileSync(market.deploymentFile, 'utf8')))
  writeFileSync(market.deploymentFile, JSON.stringify(deployment))
}, 600_000)
afterAll(() => cleanups.run())

function start(release: Release, program: 'api' | 'indexer'): Promise<ReleaseProgram> {
  starts += 1
  const secret = (name: string) => readFileSync(join(market.secrets, name), 'utf8').trim()
  const settings: Record<string, string> = {
    DATABASE_URL: secret(`${program}-database-url`),
    RPC_URL: market.anvil.url,
    DEPLOYMENT_FILE: market.deploymentFile,
    LOCAL_CHAIN: '1',
    LOCAL_DIRECTORY: market.directoryOf(`local-${starts}`, 0),
  }
  if (program === 'api') {
    settings.RELAYER_KEYS = secret('relayer-keys')
    settings.URL_SIGNING_SECRET = secret('url-signing-secret')
    settings.DEVICE_KEY_SECRET = secret('device-key-secret')
    settings.ARTIFACT_DIR = join(dirname(market.deploymentFile), 'files')
  }
  return startProgram(roots[release], program, {
    settings,
    logFile: market.logFileOf(`${program}-${starts}`),
    cleanups,
  })
}

/** Pays for a task at one process. @returns its id, when all of `readers` show it */
async function writeAt(api: ReleaseProgram, step: string, readers: ReleaseProgram[]): Promise<string> {
  const client = createSeedClient({ baseUrl: api.url, name: 'upgrade' })
  const fields = { description: `A task ${step}`, reward: '1000000', mode: 'bounty' }
  const taskId = await client.createTask('requester', step, fields)
  for (const { url } of [api, ...readers]) {
    await expect.poll(() => readTask(url, taskId), { message: step }).toEqual([taskId, fields.description])
  }
  return taskId
}

const shown = z.object({ id: z.string(), description: z.string() }).transform((task) => [task.id, task.description])

async function readTask(url: string, taskId: string): Promise<unknown> {
  const response = await fetch(`${url}/api/tasks/${taskId}`)
  const answer: unknown = await response.json()
  return response.ok ? shown.parse(answer) : [response.status, answer]
}

/** The oldest data version of a service that may run on the tables as they are. */
async function readOldestVersion(): Promise<number> {
  const url = readFileSync(join(market.secrets, 'api-database-url'), 'utf8').trim()
  const [row] = await withConnection(
    url,
    (sql) => sql<{ version: number }[]>`SELECT max(oldest_version)::int AS version FROM service.migrations`,
  )
  return Number(row?.version)
}

test('an upgrade and the way back: at each step a paid write is completed, and every process that runs shows it', async () => {
  const oldIndexer = await start('before', 'indexer')
  await untilLogged(oldIndexer, /is served/)
  const oldApi = await start('before', 'api')
  await untilReady(oldApi)
  await writeAt(oldApi, 'before the upgrade', [])

  // The indexer: beside the old one where its rows are others, and otherwise it waits for the old one's end.
  const newIndexer = await start('now', 'indexer')
  await untilLogged(newIndexer, /is served|waiting for its end/)
  await oldIndexer.child.stop()
  await untilLogged(newIndexer, /is served/)
  await writeAt(oldApi, 'at the old API on the rows of the new indexer', [])

  // The API, which migrates the tables, process by process.
  const newApi = await start('now', 'api')
  await untilReady(newApi)
  if ((await readOldestVersion()) > released.dataVersion) {
    // The changelog tells the operator: stop the old processes before.
    expect(await oldApi.child.ended).toEqual({ description: 'code 1' })
    expect(oldApi.child.readLog()).toContain('the service cannot continue')
    await writeAt(newApi, 'at the new API alone', [])
    return
  }
  await writeAt(newApi, 'at the new API beside the old one', [oldApi])
  await writeAt(oldApi, 'at the old API on the new tables', [newApi])
  await oldApi.child.stop()
  await writeAt(newApi, 'at the new API alone', [])

  // The way back of the API.
  const oldAgain = await start('before', 'api')
  await untilReady(oldAgain)
  await writeAt(oldAgain, 'at the old API that was started on the new tables', [newApi])

  // The way back of the indexer.
  const indexerAgain = await start('before', 'indexer')
  await untilLogged(indexerAgain, /is served|waiting for its end/)
  await newIndexer.child.stop()
  await untilLogged(indexerAgain, /is served/)
  await writeAt(newApi, 'at the new API on the rows of the old indexer', [oldAgain])
  await newApi.child.stop()
  await writeAt(oldAgain, 'after the way back', [])
}, 600_000)
