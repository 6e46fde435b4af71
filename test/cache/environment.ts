import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { publishKey } from '../../api/features/agents/public-keys.queries.ts'
import { createHttpServer } from '../../api/server/http-server.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { type Actor, anActor, expiringReadHeadersOf, readHeadersOf } from '../support/actors.ts'
import type { TestApi } from '../support/api.ts'
import { startApiWithStandby } from '../support/api-with-standby.ts'
import { storeArtifactBytes } from '../support/artifact-bytes.ts'
import { createCleanups } from '../support/cleanups.ts'
import { addVault, aVault, vaultAddress, vaultContracts } from '../support/fake-vaults.ts'
import { acceptPolicies, receiptHeader } from '../support/legal-client.ts'
import { aKey, createPayingClient } from '../support/paying-client.ts'
import { aHash, START } from '../support/rows/insert-row.ts'
import { leaveBooks } from '../support/scripted-books.ts'
import { insertSettledVault } from '../support/vault-rows.ts'
import { creationBody } from '../support/webhooks/signed-webhooks.ts'
import { CACHE_STATUS, startCache } from './start-cache.ts'

/** Who asks: the same wallet by each of its credentials alone, another wallet with all of its own, and no wallet. */
export const callers = [
  'reader',
  'expiring reader',
  'device',
  'payer',
  'guest',
  'accepter',
  'other',
  'stranger',
] as const
export type CallerName = (typeof callers)[number]

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** What the cache did; null: it was not asked. */
  cache: string | null
}

/** The service on rows, its HTTP server, and a cache before it that keeps whatever it may. */
export interface CacheEnvironment {
  api: TestApi
  /** Path and query of a GET of each operation, for what its callers are answered differently where that can be. */
  paths: Record<string, string>
  /** One of `paths`. @throws Error when it has none */
  pathOf(operationId: string): string
  /** A device and its token, as a query. */
  deviceQuery: string
  headersOf(caller: CallerName, path: string): Record<string, string>
  /** Asks the cache. */
  ask(path: string, init?: RequestInit): Promise<Answer>
  /** Asks the service itself. */
  askService(path: string, init?: RequestInit): Promise<Answer>
  stop(): Promise<void>
}

export async function startCacheEnvironment(): Promise<CacheEnvironment> {
  const cleanups = createCleanups()
  try {
    const api = await startApiWithStandby({ WRITE_ANSWER_MS: '100', TRUSTED_PROXIES: '127.0.0.1' })
    cleanups.defer(api.stop)
    const server = createHttpServer(api.app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 60_000 })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    cleanups.defer(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const cache = await startCache(serviceUrl)
    cleanups.defer(cache.stop)
    const ask = async (path: string, init?: RequestInit) => toAnswer(await fetch(cache.url + path, init))
    const rows = await createRows(api, cache.url)
    return {
      api,
      ...rows,
      pathOf: (operationId) => {
        const path = rows.paths[operationId]
        if (path === undefined) throw new Error(`no URL is known for ${operationId}: add one to environment.ts`)
        return path
      },
      ask,
      askService: async (path, init) => toAnswer(await fetch(serviceUrl + path, init)),
      stop: cleanups.run,
    }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}

async function toAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response
  return { status, headers, text: await response.text(), cache: headers.get(CACHE_STATUS) }
}

/** Everything below a task is of private tasks, which their requester sees, and any caller with their password. */
async function createRows(
  api: TestApi,
  cacheUrl: string,
): Promise<Pick<CacheEnvironment, 'paths' | 'deviceQuery' | 'headersOf'>> {
  const { seed, sql, deps } = api
  const [alice, bob, worker, rival] = [anActor(), anActor(), anActor(), anActor()]
  const password = 'open sesame'
  const passwordHash = await deps.passwords.hash(password)
  const privately = { taskVisibility: 'private' } as const
  const aSecret = (columns: object, requester = alice) =>
    seed.task({ requester: requester.address, ...columns }, privately, { passwordHash })

  const bounty = await aSecret({})
  const { id: submissionId, deliverable, artifactIds } = await seed.submission(bounty.id, worker.address)
  const [artifactId = ''] = artifactIds
  await storeArtifactBytes(deps, artifactId, Buffer.from('work'))
  await seed.award(bounty.id, worker.address, { deliverable })
  const { id: ratingId } = await seed.rating(bounty, worker.address, 70, 'fine')
  await sql`
    insert into service.event_log (epoch, origin, head, head_time, final_block, final_time, last_sequence)
    values (${'ab'.repeat(6)}, '', 1, ${START}, 0, ${START}, 1)`
  await sql`
    insert into service.events (sequence, kind, source, block_number, block_timestamp, task_id, resource, addresses, data)
    values (1, 'delivery.objected', 'task_event:1', 1, ${START}, ${bounty.id}, 'task', '{}', '{"worker":null}')`
  const claimed = await aSecret({ mode: 'claim', status: 'claimed', worker: worker.address, workerAssignedAt: START })
  await seed.claim(claimed.id, worker.address)
  const auction = await aSecret({ mode: 'auction', auctionType: 'english', bidDeadline: START + 3600n })
  await seed.bid(auction, worker.address, 3_000_000n)
  const pitched = await aSecret({ mode: 'pitch', pitchDeadline: START + 3600n })
  const pitch = await seed.pitch(pitched.id, worker.address)
  const measured = await aSecret({ mode: 'benchmark' })
  const proof = await seed.proof(measured.id, worker.address)
  // What the wallet has as a worker, in tasks of another one.
  const otherAuction = await seed.task({
    requester: bob.address,
    mode: 'auction',
    auctionType: 'english',
    bidDeadline: START + 3600n,
  })
  await seed.bid(otherAuction, alice.address, 3_000_000n)
  const otherBounty = await aSecret({}, rival)
  await seed.submission(otherBounty.id, alice.address)
  const drop = await seed.drop(alice.address)
  await seed.dropMember(drop, bounty, 'private')
  await seed.agent(worker.address, { agentId: 7n, completedTasks: 1, ratings: [70] })
  // Pages that are long enough to be compressed.
  for (let task = 0; task < 10; task += 1) await seed.task({ requester: rival.address })
  await publishKey(sql, worker.address, `0x02${'ab'.repeat(32)}`)
  addVault(api, aVault)
  const sponsored = aHash()
  const { sponsoredTasksHook: hook } = vaultContracts
  const { vaultId } = aVault
  await insertSettledVault(sql, {
    vaultId,
    vault: vaultAddress,
    hook,
    taskId: sponsored,
    worker: worker.address,
    amount: 9n,
  })
  await leaveBooks(api)
  const { readContract } = api.chain
  Object.assign(api.chain, {
    usdcBalance: async () => 10n ** 12n,
    simulate: async () => ({ outcome: 'ok', gas: 300_000n }),
    readContract: async (call: { functionName: string }) =>
      call.functionName === 'authorizationState' ? false : await readContract(call as never),
  })

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${cacheUrl}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const cache = response.headers.get(CACHE_STATUS)
    if (cache !== 'MISS') throw new Error(`POST ${path} was answered by the cache: ${cache}`)
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    const answer: { status: number; body: any } = { status: response.status, body: await response.json() }
    return answer
  }
  const expiringScope = { baseUrl: deps.config.PUBLIC_BASE_URL, now: api.chain.now }
  const credentialsOf = async (wallet: Actor) => {
    const reader = await readHeadersOf(wallet)
    const { body: device } = await post('/devices', { walletAddress: wallet.address }, reader)
    return {
      reader,
      expiring: await expiringReadHeadersOf(wallet, expiringScope),
      device: device as { deviceId: string; apiToken: string },
      token: { 'X-Service-Api-Token': device.apiToken as string },
      receipt: receiptHeader(await acceptPolicies(post, wallet)),
      ...(await aPaidWrite(wallet)),
    }
  }
  const aPaidWrite = async ({ account }: Actor) => {
    const client = createPayingClient({ baseUrl: cacheUrl, account, now: () => api.chain.now })
    const key = aKey()
    const body = { description: 'Translate a page', reward: '1000000', duration: 24, tags: [] }
    const payment = await client.sign(await client.challenge({ path: '/tasks', key, body }))
    const { status, body: answer } = await client.sendPaid({ path: '/tasks', key, body }, payment)
    if (status !== 409) throw new Error(`a write without an outcome was answered ${status} ${JSON.stringify(answer)}`)
    return { key, payment: { 'PAYMENT-SIGNATURE': payment.header } }
  }
  const [own, others] = [await credentialsOf(alice), await credentialsOf(bob)]
  const { deviceId, apiToken } = own.device
  const grants = new Map<string, string>()
  for (const { id } of [bounty, claimed, auction, pitched, measured]) {
    const { status, body } = await post(`/tasks/${id}/private-access/verify`, { password })
    if (status !== 200) throw new Error(`no grant: ${status} ${JSON.stringify(body)}`)
    grants.set(id, body.grant)
  }
  const grantFor = (path: string) =>
    [...grants].find(([id]) => path.includes(id))?.[1] ?? grants.get(bounty.id) ?? 'no grant'

  const headers: Record<CallerName, Record<string, string>> = {
    reader: own.reader,
    'expiring reader': own.expiring,
    device: own.token,
    payer: own.payment,
    guest: {},
    accepter: own.receipt,
    other: { ...others.reader, ...others.token, ...others.payment, ...others.receipt },
    stranger: {},
  }
  const signed = await presignedPath(api, `/api/tasks/${bounty.id}/artifacts/${artifactId}/preview`, own.reader)
  const { documents } = (await api.get('/api/legal/current')).body
  const [a, w] = [alice.address, worker.address]
  const vault = `/sponsored-task-vaults/${vaultId}`
  const below = (task: { id: string }, rest: string) => `/tasks/${task.id}${rest}`
  const place = { host: new URL(deps.config.PUBLIC_BASE_URL).host, now: api.chain.now }
  const webhook = await post('/webhooks', await creationBody(alice, { url: 'https://hook.invalid/' }, place))
  const pages = await post('/sql', { query: 'SELECT n FROM generate_series(1, 10001) AS n' })
  const paths = {
    getHealth: '/health',
    getNetwork: '/network',
    getBooks: '/books',
    listEvents: '/events?limit=1',
    listWebhooks: `/webhooks?address=${a}`,
    listWebhookDeliveries: `/webhooks/${webhook.body.webhookId}/deliveries`,
    listExports: '/exports',
    getDailyStats: '/stats/daily',
    getSqlSchema: '/sql/schema',
    getSqlCsv: '/sql.csv?query=SELECT%201',
    getSqlAnswer: new URL(pages.body.next).pathname.replace('/api', ''),
    getHookAttachmentConfiguration: '/hooks/attachment-configuration',
    getTaskStats: '/tasks/stats',
    listTasks: '/tasks?limit=20',
    getTask: below(bounty, ''),
    listTaskDrops: '/task-drops',
    getTaskDrop: `/task-drops/${drop}`,
    listTaskSubmissions: below(bounty, '/submissions'),
    listMySubmissions: `/submissions/mine?workerAddress=${a}`,
    getSubmissionManifest: below(bounty, `/submissions/${submissionId}/manifest`),
    getClaim: below(claimed, '/claim'),
    listTaskBids: below(auction, '/bids'),
    listMyBids: `/bids/my?deviceId=${deviceId}`,
    listTaskPitches: below(pitched, '/pitches'),
    getPitchPreimage: below(pitched, `/pitches/${pitch.id}/preimage`),
    listTaskProofs: below(measured, '/proofs'),
    getProofPreimage: below(measured, `/proofs/${proof.id}/preimage`),
    getArtifactPreview: below(bounty, `/artifacts/${artifactId}/preview`),
    getArtifactBytes: signed,
    listTaskFeedbacks: below(bounty, '/feedbacks'),
    getFeedbackFile: `/feedback/${ratingId}`,
    listTaskViewers: below(bounty, '/private-access/viewers'),
    getAgentStats: `/agents/stats?address=${w}`,
    listLeaderboard: '/agents/leaderboard',
    getAgentCount: '/agents/count',
    getInbox: `/agents/inbox?address=${a}`,
    getActionQueue: `/agents/action-queue?address=${a}`,
    listAgentWork: `/agents/${w}/work`,
    getPublicKey: `/agents/public-key?address=${w}`,
    getRegistration: `/agents/${w}/registration`,
    getIdentityStatus: `/identity/status?address=${w}`,
    getRequesterStats: `/requesters/${a}/stats`,
    getRequesterStatsAlias: `/requester/${a}/stats`,
    getBalance: `/wallet/balance?address=${a}`,
    getCredit: `/wallet/credit?address=${a}`,
    getWithdrawalAddress: `/wallet/withdrawal-address?address=${a}`,
    listWithdrawalAddressHistory: `/wallet/withdrawal-address/history?address=${a}`,
    getExchangeRate: '/wallet/exchange-rate',
    getTokenBalance: `/wallet/token-balance?address=${a}`,
    listSponsoredTaskVaults: '/sponsored-task-vaults?includeUnverified=true',
    listVaultsByToken: `/sponsored-task-vaults/by-token?tokenAddress=0x${'b1'.repeat(20)}&chainId=${localNetwork.chainId}`,
    getSponsoredTaskVault: vault,
    getVaultBalance: `${vault}/balance`,
    listVaultManagers: `${vault}/managers`,
    getVaultSettlement: `${vault}/settlement?epoch=0&taskId=${sponsored}`,
    previewVaultFunding: `${vault}/preview-funding?managerAddress=${a}&grossAmount=1000`,
    listEntitlements: `${vault}/entitlements?workerAddress=${w}`,
    getClaimNonce: `${vault}/claim-nonce?workerAddress=${w}`,
    listClaimable: `${vault}/claimable?workerAddress=${w}`,
    getIntent: `/intents?idempotencyKey=${own.key}`,
    getDeviceStatus: `/devices/${deviceId}/status`,
    getBoundOnly: `/wallet/bound-only?address=${a}`,
    getWalletConsent: `/wallet/consent?address=${a}`,
    getCurrentLegalBundle: '/legal/current',
    getLegalDocument: `/legal/documents/${documents[0].contentHash}`,
    getLegalStatus: '/legal/status',
  }
  return {
    paths: Object.fromEntries(Object.entries(paths).map(([operation, path]) => [operation, `/api${path}`])),
    deviceQuery: `deviceId=${deviceId}&apiToken=${apiToken}`,
    headersOf: (caller, path) =>
      caller === 'guest' ? { 'X-Service-Task-Access-Grant': grantFor(path) } : headers[caller],
  }
}

/** Path and query of a file's signed URL, below `/api`. */
async function presignedPath(api: TestApi, path: string, reader: Record<string, string>): Promise<string> {
  const { body } = await api.get(path, reader)
  const { pathname, search } = new URL(body.previewUrl)
  return pathname.replace(/^\/api/, '') + search
}
