import { insertAttempt, type NewAttempt } from './attempts.queries.ts'
import { bumpedFees, isUnderpriced } from './fees.ts'
import { findLaneHead, findWaitBehind, type Lane, listLanes, lockLane, openLane } from './nonce-sequences.queries.ts'
import type { RelayContext } from './relay-context.ts'
import { sendAttempt } from './send-attempt.ts'
import { noopCall, signAttempt } from './sign-attempt.ts'

/** The first open place of a lane that has transactions behind it. */
interface Gap {
  lane: Lane
  nonce: bigint
}

/**
 * One pass over the nonce lanes. A place that stays open holds up everything behind it, whoever's it was: a reorg can
 * drop a transaction whose intent has long gone on, or one that somebody else made with the key. The bytes signed for
 * it are sent again; where there are none, or they are stuck, a transaction to itself takes the place.
 */
export async function keepLanes(relay: RelayContext): Promise<void> {
  const { deps } = relay
  for (const lane of await listLanes(deps.sql)) {
    try {
      await keepLane(relay, lane)
    } catch (error) {
      deps.log.warn({ err: error, relayer: lane.address }, 'a nonce lane could not be looked after now')
    }
  }
}

async function keepLane(relay: RelayContext, lane: Lane): Promise<void> {
  const { chain, config, sql } = relay.deps
  const nonce = await chain.minedNonce(lane.address)
  // Its key was used elsewhere: what is signed next takes a place behind that.
  if (nonce > lane.nextNonce) return await openLane(sql, lane.address, nonce)
  if (nonce === lane.nextNonce) return
  const head = await findLaneHead(sql, { relayer: lane.address, nonce })
  if (head === null) return await fill(relay, { lane, nonce })
  if (head.ageSeconds * 1000 > config.REPLACE_AFTER_MS && !head.isLookedAfter) {
    if (await placeNoop(relay, { lane, nonce }, head)) return
  }
  const isSilent = head.silentSeconds === null || head.silentSeconds * 1000 > config.RESEND_AFTER_MS
  if (isSilent) await sendAttempt(relay, head)
}

/** Nothing was ever signed for the place, and somebody has waited behind it for long. */
async function fill(relay: RelayContext, gap: Gap): Promise<void> {
  const { config, sql, log } = relay.deps
  const wait = await findWaitBehind(sql, { relayer: gap.lane.address, nonce: gap.nonce })
  if (wait === null || wait * 1000 <= config.REPLACE_AFTER_MS) return
  if (await placeNoop(relay, gap, null)) log.warn({ relayer: gap.lane.address, nonce: Number(gap.nonce) }, 'gap filled')
}

/** @returns false when another process has the key, or was faster, or it would be no better than what is there */
async function placeNoop(relay: RelayContext, { lane, nonce }: Gap, replaced: NewAttempt | null): Promise<boolean> {
  const { deps } = relay
  const relayer = deps.relayer.accounts.find(({ address }) => address === lane.address)
  if (relayer === undefined) return false
  const current = await deps.chain.fees()
  if (replaced?.leg === 'noop' && !isUnderpriced(replaced, current)) return false
  const fees = replaced === null ? current : bumpedFees(replaced, current)
  const noop = await signAttempt(deps, noopCall(replaced?.intentId ?? null, lane.address, fees), { relayer, nonce })
  const isStored = await deps.sql.begin(async (tx) => {
    await lockLane(tx, lane.address)
    const newest = await findLaneHead(tx, { relayer: lane.address, nonce })
    if ((newest?.hash ?? null) !== (replaced?.hash ?? null)) return false
    await insertAttempt(tx, noop)
    return true
  })
  if (isStored) await sendAttempt(relay, noop)
  return isStored
}
