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

/** The largest number of intents that one pass handles. */
const PASS_SIZE = 500
/** The largest number of intents that are handled at the same time. */
const CONCURRENCY = 12

/**
 * The number of mined transactions of each relayer, keyed by the relayer's address and read once in each pass. The
 * number equals the relayer's first unmined nonce.
 */
type MinedNonces = Map<string, Promise<bigint>>

/**
 * Settles broadcast intents that have a receipt or an indexed row. For any other intent, the transaction is sent again
 * or replaced, or the intent returns to the outbox.
 * @returns the number of intents that were examined
 */
export async function watchBroadcast(relay: RelayContext): Promise<number> {
  const { deps } = relay
  const intents = await listBroadcastIntents(deps.sql, PASS_SIZE)
  if (intents.length === 0) return 0
  const ids = intents.map(({ id }) => id)
  const [attempts, indexedRelays] = await Promise.all([listAttempts(deps.sql, ids), listIndexedRelays(deps, intents)])
  const minedNonces: MinedNonces = new Map()
  const look = async (intent: BoundIntent) => {
    const intentAttempts = attempts.filter(({ intentId }) => intentId === intent.id)
    const current = intentAttempts.filter((attempt) => isCurrent(attempt, intentAttempts[0]))
    try {
      await watch(relay, intent, {
        known: { attempts: current, indexed: indexedRelays.get(intent.id) },
        minedNonces,
      })
    } catch (error) {
      deps.log.warn({ err: error, intentId: intent.id }, 'broadcast intent check failed')
    }
  }
  // Later writes may need earlier ones, so undone ones are sent again one after the other, in their first order.
  const [undoneIntents, others] = [
    intents.filter((intent) => intent.undone),
    intents.filter((intent) => !intent.undone),
  ]
  await Promise.all([mapWithLimit(1, undoneIntents, look), mapWithLimit(CONCURRENCY, others, look)])
  return intents.length
}

async function watch(
  relay: RelayContext,
  intent: BoundIntent,
  { known, minedNonces }: { known: Known; minedNonces: MinedNonces },
): Promise<void> {
  const { chain, deployment } = relay.deps
  const minedAttempt = await findMined(relay.deps, intent, known)
  if (minedAttempt !== null) return await settleMined(relay, intent, minedAttempt)
  const [attempt] = known.attempts
  if (attempt === undefined) return
  const minedNonce = minedNonces.get(attempt.relayer) ?? chain.getTransactionCount(attempt.relayer)
  minedNonces.set(attempt.relayer, minedNonce)
  await replaceTransaction(relay, { job: actionJob(intent, deployment), attempt, minedNonce: await minedNonce })
}

/**
 * Returns true if an attempt has the same relayer and nonce as the intent's newest attempt. At most one of the attempts
 * with that nonce can be mined. Attempts with an earlier nonce are already decided.
 */
function isCurrent(attempt: Attempt, newest: Attempt | undefined): boolean {
  return attempt.relayer === newest?.relayer && attempt.nonce === newest.nonce
}
