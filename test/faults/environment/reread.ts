import type { PreparedWrite } from '../client/operations.ts'
import { readIntent } from '../client/perform.ts'
import { createRecordingFetch } from '../client/recording-fetch.ts'
import { pollUntil } from '../poll-until.ts'
import type { Environment } from './environment.ts'

/** Keys read at the same time. */
const CONCURRENCY = 8

/** Reads the intent of every write's key once more, as its initiator; the answers are evidence. */
export async function reread(
  environment: Environment,
  faultCase: string,
  writes: readonly PreparedWrite[],
): Promise<void> {
  const replica = environment.replicas.find(({ state }) => state === 'up')
  if (replica === undefined) throw new Error('no API process is up to read the keys from')
  const fetch = createRecordingFetch(environment.log, faultCase, replica)
  const { timestamp } = await environment.client.getBlock({ blockTag: 'latest' })
  const { deployment } = environment
  const service = { deployment, choose: async () => replica, fetchOf: () => fetch, now: async () => timestamp }
  const deadline = AbortSignal.timeout(120_000)
  const waiting = writes.values()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const write of waiting) {
        // The service may close an idle connection without an answer, or have one to the database that has ended: a client
        // repeats the request.
        const read = async () => {
          const reply = await readIntent(service, write, { payment: null, deadline })
          return reply === null || reply.status === 503 ? null : reply
        }
        await pollUntil(
          `an answer about the key of ${write.id} (last: ${environment.log.http.at(-1)?.failure})`,
          read,
          30_000,
        )
      }
    }),
  )
}
