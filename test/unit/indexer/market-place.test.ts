import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkMarketPlace } from '../../../ops/indexer/market-place.ts'
import { startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { serveMetrics } from '../../../ops/process/serve-metrics.ts'

const market = `0x${'12'.repeat(20)}`
/** A node of chain 8453 that has one contract; below `/other`, of another chain; below `/empty`, without a contract. */
const node = createServer(async (request, response) => {
  const { id, method } = JSON.parse(await text(request))
  const chainId = request.url === '/other' ? '0x1' : '0x2105'
  const code = request.url === '/empty' ? '0x' : '0x60'
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? chainId : code }))
})
const directory = mkdtempSync(join(tmpdir(), 'task-market-place-'))
const deploymentFile = join(directory, 'deployment.json')
const nowhere = 'http://127.0.0.1:1'

beforeAll(async () => {
  writeFileSync(deploymentFile, JSON.stringify({ chainId: 8453, market }))
  await new Promise<void>((resolve) => {
    node.listen(0, '127.0.0.1', resolve)
  })
})
afterAll(() => {
  node.close()
  rmSync(directory, { recursive: true })
})

const portOfNode = () => (node.address() as AddressInfo).port
const nodeAt = (path: string) => `http://127.0.0.1:${portOfNode()}${path}`
const refusedFor = (setting: string, problem: RegExp) => ({
  problems: [{ setting, problem: expect.stringMatching(problem) }],
})

test('given the node of a deployment, or one without an answer, which is waited for, then nothing is refused', async () => {
  await checkMarketPlace({ rpcUrl: nodeAt('/'), deploymentFile })
  await checkMarketPlace({ rpcUrl: nowhere, deploymentFile })
})

test.each([
  ['a node of another chain', () => ({ rpcUrl: nodeAt('/other') }), 'RPC_URL', /serves chain 1,/],
  ['a chain without the market', () => ({ rpcUrl: nodeAt('/empty') }), 'DEPLOYMENT_FILE', /no contract at 0x12/],
  ['no file', () => ({ deploymentFile: '/missing.json' }), 'DEPLOYMENT_FILE', /ENOENT/],
  [
    'the file of a chain without a deployment',
    () => ({ deploymentFile: 'deployments/84532.json' }),
    'DEPLOYMENT_FILE',
    /names no contracts/,
  ],
])('given %s, then the setting is named', async (_, wrong, setting, problem) => {
  const place = { rpcUrl: nodeAt('/'), deploymentFile, ...wrong() }
  await expect(checkMarketPlace(place)).rejects.toMatchObject(refusedFor(setting, problem))
})

test('given no database, no file of the log or a port in use, then the setting is named', async () => {
  const databaseUrl = 'postgres://market_indexer:secret@127.0.0.1:1/market'
  const logFile = '/dev/null/ponder.log'
  await expect(startIndexer({ rpcUrls: [nowhere], databaseUrl, deploymentFile, logFile })).rejects.toMatchObject(
    refusedFor('INDEXER_LOG_FILE', /\/dev\/null/),
  )
  await expect(startIndexer({ rpcUrls: [nowhere], databaseUrl, deploymentFile })).rejects.toMatchObject(
    refusedFor('DATABASE_URL', /ECONNREFUSED/),
  )
  const place = { host: '127.0.0.1', port: portOfNode(), setting: 'INDEXER_METRICS_PORT' }
  await expect(serveMetrics(async () => '', place)).rejects.toMatchObject(
    refusedFor('INDEXER_METRICS_PORT', /EADDRINUSE/),
  )
})
