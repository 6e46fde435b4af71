import { fetchBytes } from './http-get.ts'

/** The columns of a task that a page of ours is made from, as Ponder names them. */
const columns = [
  ...['id', 'referenceCode', 'requester', 'mode', 'status', 'reward', 'escrow', 'platformFeeBps', 'stakeBps'],
  ...['contentHash', 'tagHashes', 'createdAtMs', 'createdAt', 'expiryTime', 'pitchDeadline', 'bidDeadline'],
  ...['auctionType', 'clockPrice', 'worker', 'workerAssignedAt', 'price', 'objected', 'lowestBid', 'lowestBidder'],
  ...['evaluator', 'disputeResolver', 'evaluatorDeadline', 'appealDeadline', 'resolutionDeadline', 'hookSet'],
  ...['submissionCount', 'activeSubmissionCount', 'pitchCount', 'bidCount', 'awardCount', 'primaryWorker'],
  ...['selfAward', 'claimRound', 'transactionHash'],
].join(' ')

/**
 * A page of 20 tasks and their awards by Ponder's GraphQL: one request for the tasks, one for the awards of these. The
 * texts, the identities and what may be done are not in it: our page has them besides. @returns bytes of both
 */
export async function fetchGraphqlPage(url: string): Promise<number> {
  const tasks = await ask(
    url,
    `{ tasks(limit: 20, orderBy: "createdAtMs", orderDirection: "desc", where: { listed: true }) { items { ${columns} } } }`,
  )
  const ids = tasks.data.tasks.items.map(({ id }: { id: string }) => id)
  const awards = await ask(
    url,
    `{ awards(limit: 1000, where: { taskId_in: ${JSON.stringify(ids)} }) {
      items { taskId worker rank grossAmount workerPayment platformFee rating } } }`,
  )
  return tasks.bytes + awards.bytes
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers of every shape.
async function ask(url: string, query: string): Promise<any> {
  const answer = await fetchBytes(url, JSON.stringify({ query }))
  const body = JSON.parse(answer.toString('utf8'))
  if (body.errors !== undefined) throw new Error(`Ponder answered ${JSON.stringify(body.errors)}`)
  return { ...body, bytes: answer.length }
}
