import { ponder } from 'ponder:registry'
import type { Hex } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { toPaymentId } from '../../../protocol/rules/row-ids.ts'
import { prepaidRefund, relayedIntent } from '../../schema/relay.ts'
import { takeArrival } from '../../store/arrivals.ts'
import { positionOf } from '../../store/event-position.ts'
import { getMarketConfig, recordMarketEvent } from '../../store/market.ts'
import { takeRelayTrace } from '../../store/relays.ts'

/** The row proves to the API that the intent's call and payment took effect. */
ponder.on('PaymentForwarder:IntentRelayed', async ({ event, context }) => {
  const { intentId, actor, selector, amount, paymentNonce } = event.args
  const { taskId, escrowAmount } = await takeRelayTrace(context.db, event)
  const { usdc } = await getMarketConfig(context.db)
  const isPayment = (row: { token: Hex; sender: Hex; amount: bigint }) =>
    row.token === usdc && row.sender === actor.toLowerCase() && row.amount === amount
  const hasArrived = amount > 0n && (await takeArrival(context.db, { contract: event.log.address, event }, isPayment))
  await context.db.insert(relayedIntent).values({
    intentId,
    actor,
    selector,
    amount,
    escrowAmount,
    prepaid: amount > 0n && !hasArrived,
    paymentNonce,
    taskId,
    ...positionOf(event),
  })
})

/** A payment that arrived for a write that failed was returned to its payer. */
ponder.on('PaymentForwarder:PrepaidRefunded', async ({ event, context }) => {
  const { payer, nonce, amount } = event.args
  const id = toPaymentId(payer, nonce)
  await context.db.insert(prepaidRefund).values({ id, payer, nonce, amount, ...positionOf(event) })
  await recordMarketEvent(context.db, {
    event,
    contract: 'forwarder',
    abi: paymentForwarderAbi,
    name: 'PrepaidRefunded',
  })
})
