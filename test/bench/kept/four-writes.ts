import { dirname, join } from 'node:path'
import { createClient } from '../../../client/src/create-client.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { createSeedClient } from '../../../scripts/seed/seed-client.ts'
import type { BenchStack } from '../writes/bench-stack.ts'

const description =
  'Find every broken link in the documentation\n\nA list of page and link, checked today, and for each the page that it should name.'
const report = '| page | link |\n|---|---|\n| /guide | 404 on ./old-page |\n| /reference | 410 on ./v1 |\n'
const feedbackText = 'Complete, and a day early.'

/**
 * Makes two tasks with the four writes that a task has: it is created, delivered with a file, accepted and rated. One is
 * paid as stock clients of x402 pay, the other with payments that are bound to their calls; both deliveries are signed.
 */
export async function makeFourWrites(stack: BenchStack): Promise<void> {
  const seed = createSeedClient({ baseUrl: stack.baseUrl(), name: 'kept' })
  const worker = seed.addressOf('alice')
  const deliver = (taskId: `0x${string}`) =>
    seed.submit('alice', `deliver ${taskId}`, { taskId, fileName: 'links.md', text: report })

  const fields = { description, reward: '4000000', tags: ['qa', 'docs'] }
  const taskId = await seed.createTask('requester', 'create', fields)
  await deliver(taskId)
  await seed.act('requester', 'accept', { taskId, path: '/accept', body: { taskId, worker } })
  await seed.act('requester', 'rate', { taskId, path: '/rate', body: { taskId, worker, rating: 95, feedbackText } })

  const market = createClient({
    url: stack.baseUrl(),
    account: devAccount('requester').account,
    deployment: stack.deployment,
    rpcUrl: stack.anvil.url,
    store: fileStore({ directory: join(dirname(stack.artifactDirectory), 'wallet') }),
  })
  const bound = await must(market.write('createTask', { ...fields, duration: 72 }))
  await deliver(bound)
  await must(market.write('acceptSubmission', { taskId: bound, worker }))
  await must(market.write('rateWorker', { taskId: bound, worker, rating: 95, feedbackText }))
}

async function must(outcome: Promise<{ kind: string; taskId?: unknown; message?: string }>): Promise<`0x${string}`> {
  const { kind, taskId, message } = await outcome
  if (kind !== 'completed') throw new Error(`a write was ${kind}: ${message}`)
  return String(taskId) as `0x${string}`
}
