import { Agent, request } from 'node:http'
import type { FetchedPage } from './measure.ts'

/** The columns of a task that a page of ours is made from, as GraphQL names them. */
const columns = [
  'id',
  'referenceCode',
  'requester',
  'mode',
  'status',
  'reward',
  'escrow',
  'platformFeeBps',
  'stakeBps',
  'contentHash',
  'tagHashes',
  'createdAtMs',
  'createdAt',
  'expiryTime',
  'pitchDeadline',
  'bidDeadline',
  'auctionType',
  'clockPrice',
  'worker',
  'workerAssignedAt',
  'price',
  'objected',
  'lowestBid',
  'lowestBidder',
  'evaluator',
  'disputeResolver',
  'evaluatorDeadline',
  'appealDeadline',
  'resolutionDeadline',
  'hookSet',
  'submissionCount',
  'activeSubmissionCount',
  'pitchCount',
  'bidCount',
  'awardCount',
  'primaryWorker',
  'selfAward',
  'claimRound',
  'transactionHash',
].join(' ')

/**
 * A page of 20 tasks and their awards by GraphQL: one request for the tasks, one for the awards of these. The texts,
 * the identities and what may be done are not in it: our page has them besides. `before`: a `createdAtMs`.
 */
export async function fetchGraphqlPage(url: string, before?: bigint): Promise<FetchedPage> {
  const where = before === undefined ? '{ listed: true }' : `{ listed: true, createdAtMs_lt: "${before}" }`
  const tasks = await ask(
    url,
    `{ tasks(limit: 20, orderBy: "createdAtMs", orderDirection: "desc", where: ${where}) { items { ${columns} } } }`,
  )
  const ids = tasks.data.tasks.items.map(({ id }: { id: string }) => id)
  const awards = await ask(
    url,
    `{ awards(limit: 100, where: { taskId_in: ${JSON.stringify(ids)} }) {
      items { taskId worker rank grossAmount workerPayment platformFee rating } } }`,
  )
  return { bytes: tasks.bytes + awards.bytes, requests: 2 }
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers of every shape.
async function ask(url: string, query: string): Promise<any> {
  const answer = await post(url, JSON.stringify({ query }))
  const body = JSON.parse(answer.toString('utf8'))
  if (body.errors !== undefined) throw new Error(`GraphQL answered ${JSON.stringify(body.errors)}`)
  return { ...body, bytes: answer.length }
}

// As http-get.ts: the server ends a connection that was idle for five seconds.
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 3_000 })
let clients = 0

/**
 * Sends a query from an address of its own, through the trusted proxy: GraphQL executes one request of each at a time.
 */
function post(url: string, body: string): Promise<Buffer> {
  clients = (clients + 1) % 250
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': `203.0.113.${clients + 1}`,
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => resolve(Buffer.concat(chunks)))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
