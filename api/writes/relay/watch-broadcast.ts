import type { Hex } from 'viem'
import { type Attempt, listAttempts } from '../../db/attempts.queries.ts'
import { listBroadcastIntents } from '../../db/relay.queries.ts'
import { forEachAtOnce } from '../for-each-at-once.ts'
import type { BoundIntent } from '../intent.ts'
import { actionErrand } from './errand.ts'
import type { RelayContext } from './relay-context.ts'
import { type MinedAttempt, settleMined } from './settle-mined.ts'
import { unstick } from './unstick.ts'

/** Intents looked at in one pass, and at the same time. */
const PASS_SIZE = 500
const AT_ONCE = 12

/**
 * One pass over the intents on their way: those with a receipt are settled, the others kept going.
 * @returns how many there were
 */
export async function watchBroadcast(relay: RelayContext): Promise<number> {
  const { deps } = relay
  const intents = await listBroadcastIntents(deps.sql, PASS_SIZE)
  if (intents.length === 0) return 0
  const ids = intents.map(({ id }) => id)
  const attempts = await listAttempts(deps.sql, ids)
  const minedNonces = new Map<string, Promise<bigint>>()
  await forEachAtOnce(AT_ONCE, intents, async (intent) => {
    try {
      await watch(relay, intent, { attempts: attempts.filter(({ intentId }) => intentId === intent.id), minedNonces })
    } catch (error) {
      deps.log.warn({ err: error, intentId: intent.id }, 'an intent could not be looked after now')
    }
  })
  return intents.length
}

async function watch(
  relay: RelayContext,
  intent: BoundIntent,
  { attempts, minedNonces }: { attempts: Attempt[]; minedNonces: Map<string, Promise<bigint>> },
): Promise<void> {
  const { chain } = relay.deps
  const current = attempts.filter((attempt) => isCurrent(attempt, attempts[0]))
  const mined = await findMined(relay, intent, current)
  if (mined !== null) return await settleMined(relay, intent, mined)
  const [attempt] = current
  if (attempt === undefined) return
  const minedNonce = minedNonces.get(attempt.relayer) ?? chain.minedNonce(attempt.relayer)
  minedNonces.set(attempt.relayer, minedNonce)
  await unstick(relay, { errand: actionErrand(intent), attempt, minedNonce: await minedNonce })
}

/**
 * The newest transaction and those it replaced: one nonce, so at most one of them is mined. What was signed for an
 * earlier nonce has been decided already, or lost its nonce to another transaction.
 */
function isCurrent(attempt: Attempt, newest: Attempt | undefined): boolean {
  return attempt.relayer === newest?.relayer && attempt.nonce === newest.nonce
}

/** Any of them may be the one that is mined, the newest most likely. */
async function findMined(
  { deps }: RelayContext,
  intent: BoundIntent,
  attempts: readonly Attempt[],
): Promise<MinedAttempt | null> {
  for (const { hash, leg } of candidates(intent, attempts)) {
    const mined = await deps.chain.receipt(hash)
    if (mined !== null) return { leg, mined }
  }
  return null
}

function candidates(
  intent: BoundIntent,
  attempts: readonly Attempt[],
): Pick<MinedAttempt & { hash: Hex }, 'hash' | 'leg'>[] {
  const known = attempts.map(({ hash, leg }) => ({ hash, leg }))
  const isKnown = intent.txHash === null || attempts.some(({ hash }) => hash === intent.txHash)
  // The forwarder may have told of a transaction that this database never saw signed.
  return isKnown || intent.txHash === null ? known : [{ hash: intent.txHash, leg: null }, ...known]
}
