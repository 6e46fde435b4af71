import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../ops/process/ports.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

/** The chain that the node serves; null: it gives no answer. */
let servedChain: number | null = null
const node = createServer(async (request: IncomingMessage, response) => {
  if (servedChain === null) return request.socket.destroy()
  const { id } = JSON.parse(await text(request))
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${servedChain.toString(16)}` }))
})

let rows: TestApi
let directory: string
let api: Api | undefined
beforeAll(async () => {
  rows = await startTestApi()
  const blockTimestamp = BigInt(Math.floor(Date.now() / 1000))
  await rows.sql`insert into indexed_head ${rows.sql({ blockNumber: 1n, blockTimestamp, checkpoint: '' })}`
  directory = await mkdtemp(join(tmpdir(), 'task-market-process-end-'))
  await writeFile(join(directory, 'deployment.json'), JSON.stringify(rows.deps.deployment))
  await new Promise<void>((resolve) => {
    node.listen(0, '127.0.0.1', resolve)
  })
})
afterAll(async () => {
  node.close()
  await rows.stop()
  await rm(directory, { recursive: true })
})

/** A process of the service on these rows; `afterEach` stops it. */
const start = async (deploymentFile = join(directory, 'deployment.json')): Promise<Api> => {
  api = await startApi({
    port: await findFreePort(),
    databaseUrl: rows.deps.config.DATABASE_URL,
    rpcUrl: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
    deploymentFile,
    relayerKeys: [`0x${'1'.repeat(64)}`],
    artifactDirectory: directory,
    urlSigningSecret: 'a secret of the tests, long enough',
    logFile: join(directory, 'api.log'),
    environment: { STORAGE_RESERVE_BYTES: '0' },
  })
  return api
}
afterEach(() => api?.stop())

const linesOf = ({ child }: Api) =>
  child
    .readLog()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('given a start without a node, when one of another chain answers, then the process ends in order with the reason', async () => {
  servedChain = null
  const api = await start()
  expect((await fetch(`${api.url}/api/tasks`)).status).toBe(200)
  servedChain = 1
  expect(await api.child.ended).toEqual({ description: 'code 1' })
  const lines = linesOf(api)
  expect(lines.filter(({ level }) => level === 60)).toMatchObject([
    {
      msg: 'the service cannot continue',
      err: { message: `RPC_URL: leads to chain 1, and the contracts are on chain ${localNetwork.chainId}` },
    },
  ])
  expect(lines.at(-1)).toMatchObject({ msg: 'ended' })
})

test('given a service, when the rows of a newer release are served, then it ends with the versions, and does not start', async () => {
  servedChain = null
  const running = await start()
  await rows.sql`update indexed_head set oldest_version = 99`
  await rows.sql`select pg_notify('market_head', '')`
  const reason = /the rows of idx_0+ need 99 or newer: start a release of that version/
  expect(await running.child.ended).toEqual({ description: 'code 1' })
  expect(linesOf(running).find(({ level }) => level === 60).err.message).toMatch(reason)
  await expect(start()).rejects.toThrow(reason)
  await rows.sql`update indexed_head set oldest_version = 1`
})

test('given a service, when a newer release raises the version of the tables, then it ends with the versions', async () => {
  servedChain = null
  const running = await start()
  await rows.sql`insert into service.migrations (name, sha256, oldest_version) values ('0900.sql', '', 99)`
  expect(await running.child.ended).toEqual({ description: 'code 1' })
  expect(linesOf(running).find(({ level }) => level === 60).err.message).toMatch(/migration 0900\.sql/)
})

test('given constants of a local chain, when the deployment is of another, then the service does not start', async () => {
  const deploymentFile = join(directory, 'foreign.json')
  await writeFile(deploymentFile, JSON.stringify({ ...rows.deps.deployment, local: false }))
  await expect(start(deploymentFile)).rejects.toThrow(
    /"setting":"LOCAL_CONSTANTS","problem":"is only for a chain of this machine/,
  )
})
