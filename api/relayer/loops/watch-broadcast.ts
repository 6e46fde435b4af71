import { mapWithLimit } from '../../concurrency/map-with-limit.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { listBroadcastIntents } from '../../intents/outbox.queries.ts'
import { findMined, type Known } from '../confirmations/find-mined.ts'
import { listIndexedRelays } from '../confirmations/indexed-relays.ts'
import { settleMined } from '../confirmations/settle-mined.ts'
import { type Attempt, listAttempts } from '../transactions/attempts.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { actionJob } from '../transactions/relay-job.ts'
import { replaceTransaction } from '../transactions/replace-transaction.ts'

/** Intents looked at in one pass, and at the same time. */
const PASS_SIZE = 500
const CONCURRENCY = 12

/** Transactions mined from each relayer, asked for once a pass. */
type MinedNonces = Map<string, Promise<bigint>>

/**
 * One pass over the intents on their way: those with a receipt or an indexed row are settled, the others kept going.
 * @returns how many there were
 */
export async function watchBroadcast(relay: RelayContext): Promise<number> {
  const { deps } = relay
  const intents = await listBroadcastIntents(deps.sql, PASS_SIZE)
  if (intents.length === 0) return 0
  const ids = intents.map(({ id }) => id)
  const [attempts, indexed] = await Promise.all([listAttempts(deps.sql, ids), listIndexedRelays(deps, intents)])
  const minedNonces: MinedNonces = new Map()
  const look = async (intent: BoundIntent) => {
    const intentAttempts = attempts.filter(({ intentId }) => intentId === intent.id)
    const current = intentAttempts.filter((attempt) => isCurrent(attempt, intentAttempts[0]))
    try {
      await watch(relay, intent, {
        known: { attempts: current, indexed: indexed.get(intent.id) },
        minedNonces,
      })
    } catch (error) {
      deps.log.warn({ err: error, intentId: intent.id }, 'an intent could not be looked after now')
    }
  }
  // Later writes may need earlier ones: what a reorg undid is sent again one after the other, in its first order.
  const [undone, others] = [intents.filter((intent) => intent.undone), intents.filter((intent) => !intent.undone)]
  await Promise.all([mapWithLimit(1, undone, look), mapWithLimit(CONCURRENCY, others, look)])
  return intents.length
}

async function watch(
  relay: RelayContext,
  intent: BoundIntent,
  { known, minedNonces }: { known: Known; minedNonces: MinedNonces },
): Promise<void> {
  const { chain, deployment } = relay.deps
  const mined = await findMined(relay.deps, intent, known)
  if (mined !== null) return await settleMined(relay, intent, mined)
  const [attempt] = known.attempts
  if (attempt === undefined) return
  const minedNonce = minedNonces.get(attempt.relayer) ?? chain.getTransactionCount(attempt.relayer)
  minedNonces.set(attempt.relayer, minedNonce)
  await replaceTransaction(relay, { job: actionJob(intent, deployment), attempt, minedNonce: await minedNonce })
}

/**
 * The newest transaction and those it replaced: one nonce, so at most one of them is mined. What was signed for an
 * earlier nonce has been decided already, or lost its nonce to another transaction.
 */
function isCurrent(attempt: Attempt, newest: Attempt | undefined): boolean {
  return attempt.relayer === newest?.relayer && attempt.nonce === newest.nonce
}
