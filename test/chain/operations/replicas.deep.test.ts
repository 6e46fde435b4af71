import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { withConnection } from '../../../scripts/postgres/postgres-databases.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import { openQuotas } from '../../../scripts/stack/open-quotas.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { type StandbyServers, startStandby } from '../../support/standby.ts'
import { createWallets, type Wallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'

/** One indexer, two processes of the service with a relayer key each, and a replica that both read from. */
const cleanups = createCleanups()
let servers: StandbyServers
let stack: TestStack
let wallets: Wallets
let processes: [Api, Api]

beforeAll(async () => {
  servers = await startStandby()
  cleanups.defer(servers.stop)
  stack = await startTestStack({ postgresUrl: servers.primaryUrl, api: false })
  cleanups.defer(stack.stop)
  wallets = createWallets(stack)
  const { serviceUrl } = stack.logins
  // The replica has the tables before it is read.
  const sql = connectDatabase({ url: serviceUrl, max: 1 })
  await migrate(sql)
  await sql.end()
  await servers.replayed()
  const READ_DATABASE_URLS = atServer(serviceUrl, servers.standbyUrl)
  processes = [await start(0, { READ_DATABASE_URLS }), await start(1, { READ_DATABASE_URLS })]
  for (const each of processes) cleanups.defer(each.stop)
})
afterAll(() => cleanups.run())

async function start(relayer: number, environment: Record<string, string>): Promise<Api> {
  const key = devRelayers()[relayer]?.privateKey
  if (key === undefined) throw new Error(`there is no relayer ${relayer}`)
  return await startApi({
    port: await findFreePort(),
    databaseUrl: stack.logins.serviceUrl,
    rpcUrl: stack.anvil.url,
    deploymentFile: stack.deploymentFile,
    artifactDirectory: stack.artifactDirectory,
    relayerKeys: [key],
    urlSigningSecret: 'a secret of the tests, long enough',
    logFile: join(stack.artifactDirectory, '..', `api-${relayer}.log`),
    environment: { ...openQuotas, POLLING_INTERVAL_MS: '50', KEEPER_INTERVAL_MS: '3600000', ...environment },
  })
}

async function read(api: Api, path: string): Promise<{ id?: string; tasks?: { id: string }[] } | null> {
  const response = await fetch(`${api.url}/api${path}`)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return JSON.parse(text)
}

const newest = async (api: Api) => (await read(api, '/tasks?limit=5'))?.tasks?.[0]?.id

/** Creates a task by way of a process. */
async function create(api: Api): Promise<string> {
  const client = createPayingClient({ baseUrl: api.url, account: await wallets.funded(REWARD) })
  const { status, body } = await client.payBound(createCall())
  expect([status, body]).toEqual([200, body])
  return body.taskId
}

/** Writes by one process; both show the task, the one that wrote it in its first read. */
async function createAndRead(writer: Api): Promise<void> {
  const id = await create(writer)
  expect(await newest(writer)).toBe(id)
  expect((await read(writer, `/tasks/${id}`))?.id).toBe(id)
  for (const each of processes) {
    await expect.poll(() => newest(each)).toBe(id)
    await expect.poll(async () => (await read(each, `/tasks/${id}`))?.id).toBe(id)
  }
}

/** Reads of a process by where they were answered. */
async function readsOf(api: Api): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const found = metrics.matchAll(/^taskmarket_public_reads_total\{outcome="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]))
}

async function atStandby(statement: string): Promise<void> {
  await withConnection(servers.standbyUrl, (sql) => sql.unsafe(statement))
}

describe('given two processes and a replica', () => {
  it('every write is in the next read of its process, and soon in those of the other, and the replica answers', async () => {
    for (let round = 0; round < 2; round += 1) for (const writer of processes) await createAndRead(writer)
    await servers.replayed()
    for (const each of processes) {
      const answeredByReplica = async () => {
        await newest(each)
        return (await readsOf(each)).replica ?? 0
      }
      await expect.poll(answeredByReplica).toBeGreaterThan(0)
    }
  })

  it('given it replays nothing, then no read is older, and none fails', async () => {
    await atStandby('select pg_wal_replay_pause()')
    for (const writer of processes) await createAndRead(writer)
    await atStandby('select pg_wal_replay_resume()')
    await servers.replayed()
  })

  it('given it ends while it is read, then no read fails', async () => {
    let isEnded = false
    const readAgain = async (api: Api) => {
      while (!isEnded) await newest(api)
    }
    const readers = Promise.all(processes.map(readAgain))
    try {
      await create(processes[0])
      await servers.endStandby()
      for (const writer of processes) await createAndRead(writer)
    } finally {
      isEnded = true
      await readers
    }
    await createAndRead(processes[1])
    for (const each of processes) expect((await readsOf(each)).primary_none_usable).toBeGreaterThan(0)
  })
})
