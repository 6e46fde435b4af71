import { insertAttempt, type NewAttempt } from './attempts.queries.ts'
import { bumpedFees, isUnderpriced } from './fees.ts'
import {
  findSequenceHead,
  findWaitBehind,
  getNextNonce,
  listNonceSequences,
  lockNonceSequence,
  type NonceSequence,
  openNonceSequence,
} from './nonce-sequences.queries.ts'
import type { RelayContext } from './relay-context.ts'
import { sendAttempt } from './send-attempt.ts'
import { cancellationCall, signAttempt } from './sign-attempt.ts'

/** The first nonce of a sequence that is not mined while transactions with later nonces wait. */
interface Gap {
  sequence: NonceSequence
  nonce: bigint
}

/**
 * One pass over the nonce sequences. A nonce that is not mined delays every transaction with a later one: a reorg can
 * drop a transaction whose intent has ended meanwhile, or one that another holder of the key made. The bytes signed for
 * the nonce are sent again; where there are none, or they are not mined in time, a cancellation transaction takes it.
 */
export async function fillNonceGaps(relay: RelayContext): Promise<void> {
  const { deps } = relay
  for (const sequence of await listNonceSequences(deps.sql)) {
    try {
      await fillGaps(relay, sequence)
    } catch (error) {
      deps.log.warn(
        { err: error, relayer: sequence.address },
        'a nonce sequence could not be checked now; it is checked again',
      )
    }
  }
}

async function fillGaps(relay: RelayContext, sequence: NonceSequence): Promise<void> {
  const { chain, config, sql, observe, log } = relay.deps
  const nonce = await chain.getTransactionCount(sequence.address)
  // Read after the chain: no nonce is mined that was not given out before, unless its key was used elsewhere.
  const nextNonce = await getNextNonce(sql, sequence.address)
  const isUsedElsewhere = nonce > nextNonce
  observe.metrics.relayerSeen({ relayer: sequence.address, isUsedElsewhere })
  if (isUsedElsewhere) {
    log.warn(
      { relayer: sequence.address, nonce: Number(nonce), nextNonce: Number(nextNonce) },
      'a relayer’s key was used elsewhere',
    )
    // What is signed next takes a place behind that.
    return await openNonceSequence(sql, sequence.address, nonce)
  }
  if (nonce === nextNonce) return
  const head = await findSequenceHead(sql, { relayer: sequence.address, nonce })
  if (head === null) return await fill(relay, { sequence, nonce })
  if (head.ageSeconds * 1000 > config.REPLACE_AFTER_MS && !head.isLookedAfter) {
    if (await placeCancellation(relay, { sequence, nonce }, head)) return
  }
  const isSilent = head.silentSeconds === null || head.silentSeconds * 1000 > config.RESEND_AFTER_MS
  if (isSilent) await sendAttempt(relay, head)
}

/** No transaction was signed for the nonce, and one behind it has waited for long. */
async function fill(relay: RelayContext, gap: Gap): Promise<void> {
  const { config, sql, log } = relay.deps
  const wait = await findWaitBehind(sql, { relayer: gap.sequence.address, nonce: gap.nonce })
  if (wait === null || wait * 1000 <= config.REPLACE_AFTER_MS) return
  if (await placeCancellation(relay, gap, null))
    log.warn({ relayer: gap.sequence.address, nonce: Number(gap.nonce) }, 'gap filled')
}

/** @returns false when another process has the key, its signer failed a moment ago, another one was faster, or it would be no better than what is there */
async function placeCancellation(
  relay: RelayContext,
  { sequence, nonce }: Gap,
  replaced: NewAttempt | null,
): Promise<boolean> {
  const { deps } = relay
  const relayer = deps.relayer.accounts.find(({ address }) => address === sequence.address)
  if (relayer === undefined || !relayer.isReady()) return false
  const current = await deps.chain.estimateFeesPerGas()
  if (replaced?.purpose === 'cancellation' && !isUnderpriced(replaced, current)) return false
  const fees = replaced === null ? current : bumpedFees(replaced, current)
  const cancellation = await signAttempt(deps, cancellationCall(replaced?.intentId ?? null, sequence.address, fees), {
    relayer,
    nonce,
  })
  const isStored = await deps.sql.begin(async (tx) => {
    await lockNonceSequence(tx, sequence.address)
    const newest = await findSequenceHead(tx, { relayer: sequence.address, nonce })
    if ((newest?.hash ?? null) !== (replaced?.hash ?? null)) return false
    await insertAttempt(tx, cancellation)
    return true
  })
  if (isStored) await sendAttempt(relay, cancellation)
  return isStored
}
