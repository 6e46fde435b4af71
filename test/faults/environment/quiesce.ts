import { pollUntil } from '../poll-until.ts'
import type { Environment } from './environment.ts'

/** How long an environment may take until no write is unfinished, milliseconds. */
const DEADLINE_MS = 60_000

/** Resolves when no intent and no refund is on its way and every nonce sequence is complete. @throws with what is unfinished */
export async function quiesce(environment: Environment): Promise<void> {
  let unfinished = ''
  try {
    await pollUntil(
      'every write to end',
      async () => {
        unfinished = await listUnfinished(environment)
        return unfinished === ''
      },
      DEADLINE_MS,
    )
  } catch {
    throw new Error(`not every write ended in ${DEADLINE_MS} ms: ${unfinished}`)
  }
}

async function listUnfinished({ sql, client }: Environment): Promise<string> {
  const intents = await sql<{ id: string; status: string }[]>`
    select id, status from service.intents
    where status in ('recorded', 'broadcast') or refund_status in ('pending', 'refunding')`
  if (intents.length > 0) return intents.map(({ id, status }) => `intent ${id} is ${status}`).join(', ')
  const nonceSequences = await sql<{ address: `0x${string}`; nextNonce: string }[]>`
    select address, next_nonce as "nextNonce" from service.relayers`
  const open: string[] = []
  for (const { address, nextNonce } of nonceSequences) {
    const latest = await client.getTransactionCount({ address, blockTag: 'latest' })
    if (BigInt(latest) !== BigInt(nextNonce)) open.push(`relayer ${address} is at ${nextNonce}, the chain at ${latest}`)
  }
  return open.join(', ')
}
