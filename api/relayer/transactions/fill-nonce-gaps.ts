import type { Address } from 'viem'
import { insertAttempt, type NewAttempt } from './attempts.queries.ts'
import { bumpedFees, isUnderpriced } from './fees.ts'
import {
  findSequenceHead,
  findWaitBehind,
  listNonceSequences,
  lockNonceSequence,
  type NonceSequence,
  openNonceSequence,
} from './nonce-sequences.queries.ts'
import type { RelayContext } from './relay-context.ts'
import { sendAttempt } from './send-attempt.ts'
import { cancellationCall, signAttempt } from './sign-attempt.ts'

/**
 * A nonce sequence and its first nonce without a mined transaction. No transaction with a later nonce can be mined
 * before this nonce.
 */
interface Gap {
  sequence: NonceSequence
  nonce: bigint
}

/**
 * Fills the gaps of all nonce sequences. A gap is an unmined nonce that no waiting intent or refund uses, for example
 * after a reorg. It blocks all transactions with later nonces. First, the newest transaction that this service signed
 * with the nonce is sent again. If it is not mined in time, a cancellation is sent with the nonce.
 */
export async function fillNonceGaps(relay: RelayContext): Promise<void> {
  const { deps } = relay
  const openSequences = await listNonceSequences(deps.sql)
  const counts = await Promise.allSettled(openSequences.map(({ address }) => deps.chain.getTransactionCount(address)))
  // Read after the chain: no nonce is mined before it was claimed, unless its key was used elsewhere.
  const current = new Map((await listNonceSequences(deps.sql)).map((sequence) => [sequence.address, sequence]))
  const fillOne = async (address: Address, count: PromiseSettledResult<bigint> | undefined): Promise<void> => {
    const sequence = current.get(address)
    if (count === undefined || sequence === undefined) return
    try {
      if (count.status === 'rejected') throw count.reason
      await fillGaps(relay, { sequence, nonce: count.value })
    } catch (error) {
      deps.log.warn({ err: error, relayer: address }, 'nonce sequence check failed')
    }
  }
  // Side by side: a count that waited for the sequence before would be an old one.
  await Promise.all(openSequences.map(({ address }, index) => fillOne(address, counts[index])))
}

/**
 * Checks one nonce sequence and fills its gap.
 * @param gap.nonce the first nonce that is not mined
 */
async function fillGaps(relay: RelayContext, { sequence, nonce }: Gap): Promise<void> {
  const { config, sql, observe, log } = relay.deps
  const { nextNonce } = sequence
  const isUsedElsewhere = nonce > nextNonce
  observe.metrics.relayerSeen({ relayer: sequence.address, isUsedElsewhere })
  if (isUsedElsewhere) {
    log.warn(
      { relayer: sequence.address, nonce: Number(nonce), nextNonce: Number(nextNonce) },
      'a relayer’s key was used elsewhere',
    )
    // The next signature takes a later place.
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

/**
 * Sends a cancellation for a nonce that has no signed transaction. Does nothing until a transaction with a later nonce
 * is older than REPLACE_AFTER_MS.
 */
async function fill(relay: RelayContext, gap: Gap): Promise<void> {
  const { config, sql, log } = relay.deps
  const wait = await findWaitBehind(sql, { relayer: gap.sequence.address, nonce: gap.nonce })
  if (wait === null || wait * 1000 <= config.REPLACE_AFTER_MS) return
  if (await placeCancellation(relay, gap, null))
    log.warn({ relayer: gap.sequence.address, nonce: Number(gap.nonce) }, 'gap filled')
}

/**
 * Signs, stores and sends a cancellation.
 * @returns false in four cases: the key is not in this process, the signer has just failed, another process stored a
 * transaction with the nonce first, or the newest transaction is a cancellation with high enough fees
 */
async function placeCancellation(
  relay: RelayContext,
  { sequence, nonce }: Gap,
  replacedAttempt: NewAttempt | null,
): Promise<boolean> {
  const { deps } = relay
  const relayer = deps.relayer.accounts.find(({ address }) => address === sequence.address)
  if (relayer === undefined || !relayer.isReady()) return false
  const current = await deps.chain.estimateFeesPerGas()
  if (replacedAttempt?.purpose === 'cancellation' && !isUnderpriced(replacedAttempt, current)) return false
  const fees = replacedAttempt === null ? current : bumpedFees(replacedAttempt, current)
  const cancellation = await signAttempt(
    deps,
    cancellationCall(replacedAttempt?.intentId ?? null, sequence.address, fees),
    {
      relayer,
      nonce,
    },
  )
  const isStored = await deps.sql.begin(async (tx) => {
    await lockNonceSequence(tx, sequence.address)
    const newest = await findSequenceHead(tx, { relayer: sequence.address, nonce })
    if ((newest?.hash ?? null) !== (replacedAttempt?.hash ?? null)) return false
    await insertAttempt(tx, cancellation)
    return true
  })
  if (isStored) await sendAttempt(relay, cancellation)
  return isStored
}
