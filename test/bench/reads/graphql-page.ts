import { fetchBytes } from './http-get.ts'

/** The columns of a task that a page of ours is made from, as GraphQL names them. */
const columns = `
  id referenceCode requester mode status reward escrow platformFeeBps stakeBps contentHash tagHashes createdAtMs
  createdAt expiryTime pitchDeadline bidDeadline auctionType clockPrice worker workerAssignedAt price objected
  lowestBid lowestBidder evaluator disputeResolver evaluatorDeadline appealDeadline resolutionDeadline hookSet
  submissionCount activeSubmissionCount pitchCount bidCount awardCount primaryWorker selfAward claimRound
  transactionHash`

/**
 * A page of 20 tasks and their awards by GraphQL: one request for the tasks, one for the awards of these. The texts,
 * the identities and what may be done are not in it: our page has them besides. `before`: a `createdAtMs`.
 */
export async function fetchGraphqlPage(url: string, before?: bigint): Promise<void> {
  const where = before === undefined ? '{ listed: true }' : `{ listed: true, createdAtMs_lt: "${before}" }`
  const tasks = await ask(
    url,
    `{ tasks(limit: 20, orderBy: "createdAtMs", orderDirection: "desc", where: ${where}) { items { ${columns} } } }`,
  )
  const ids = tasks.data.tasks.items.map(({ id }: { id: string }) => id)
  await ask(
    url,
    `{ awards(limit: 100, where: { taskId_in: ${JSON.stringify(ids)} }) {
      items { taskId worker rank grossAmount workerPayment platformFee rating } } }`,
  )
}

let clients = 0

/** Asks from an address of its own, through the trusted proxy: GraphQL executes one request of each at a time. */
// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers of every shape.
async function ask(url: string, query: string): Promise<any> {
  clients = (clients + 1) % 250
  const headers = { 'x-forwarded-for': `203.0.113.${clients + 1}` }
  const body = JSON.parse((await fetchBytes(url, headers, JSON.stringify({ query }))).toString('utf8'))
  if (body.errors !== undefined) throw new Error(`GraphQL answered ${JSON.stringify(body.errors)}`)
  return body
}
