import { listUnusedPayments, releasePayment, requestRefund } from '../db/refunds.queries.ts'
import type { Deps } from '../deps.ts'
import { proveArrival } from '../payments/prove-arrival.ts'
import { isAuthorizationUsed } from '../payments/verify.ts'

const LOOK_EVERY_MS = 5_000
const PASS_SIZE = 200
/** After its end an authorization is looked at once more, when a reorg can hardly bring another end about; seconds. */
const GRACE_SECONDS = 120n

/**
 * A write that failed has charged nothing, but its authorization lives on for some minutes, and anybody who saw it may
 * submit it alone. One run over such writes: money that arrived that way goes back to its payer. Each is watched until
 * it was seen unused, cancelled or used elsewhere after its end, however long this service was away meanwhile, and
 * whatever a node that lags does not show yet.
 */
export async function returnStrays(deps: Deps): Promise<number> {
  const { timestamp } = await deps.chain.latestHead()
  for (const { id, payment, boundAtBlock } of await listUnusedPayments(deps.sql, PASS_SIZE)) {
    if (payment === null) continue
    const isOver = timestamp > payment.validBefore + GRACE_SECONDS
    if (!(await isAuthorizationUsed(deps, payment))) {
      if (isOver) await releasePayment(deps.sql, id)
      continue
    }
    const arrival = await proveArrival(deps, payment, { fromBlock: boundAtBlock })
    if (arrival === 'arrived') {
      await requestRefund(deps.sql, id)
      deps.log.warn({ intentId: id }, 'the authorization of a failed write was submitted; its money goes back')
    } else if (isOver && arrival !== 'unseen') await releasePayment(deps.sql, id)
  }
  return LOOK_EVERY_MS
}
