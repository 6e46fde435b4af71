import { ponder } from 'ponder:registry'
import type { Address, Hex } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { toPaymentId } from '../../../protocol/rules/row-ids.ts'
import { prepaidRefund, relayedIntent } from '../../schema/relay.ts'
import { takeArrival } from '../../store/arrivals.ts'
import { type PositionedEvent, positionOf } from '../../store/event-position.ts'
import { getMarketConfig, recordMarketEvent } from '../../store/market.ts'
import { takeRelayTrace } from '../../store/relays.ts'
import type { Store } from '../../store/store.ts'

interface RelayedEvent extends PositionedEvent {
  args: { intentId: Hex; actor: Address; selector: Hex; amount: bigint; paymentNonce: Hex }
  log: PositionedEvent['log'] & { address: Address }
}

ponder.on('PaymentForwarder:IntentRelayed', async ({ event, context }) => {
  await recordRelay(context.db, event, event.args.escrowAmount)
})

/**
 * Records a call that an earlier version of the payment forwarder relayed. That version did not support payments whose
 * authorization is bound to one call.
 */
ponder.on('PaymentForwarderBeforeBound:IntentRelayed', async ({ event, context }) => {
  // The event has no escrow amount. The escrow is the sum of the transfers to the market before the event, in the same
  // transaction.
  await recordRelay(context.db, event)
})

/**
 * Inserts the row of a relayed call. The API reads this row as proof of the call and of the payment.
 * @param loggedEscrow escrow amount in the event, USDC base units; absent for an event of an earlier forwarder
 */
async function recordRelay(store: Store, event: RelayedEvent, loggedEscrow?: bigint): Promise<void> {
  const { intentId, actor, selector, amount, paymentNonce } = event.args
  const trace = await takeRelayTrace(store, event)
  const { usdc } = await getMarketConfig(store)
  const isPayment = (row: { token: Hex; sender: Hex; amount: bigint }) =>
    row.token === usdc && row.sender === actor.toLowerCase() && row.amount === amount
  const hasArrived = amount > 0n && (await takeArrival(store, { contract: event.log.address, event }, isPayment))
  await store.insert(relayedIntent).values({
    intentId,
    actor,
    selector,
    amount,
    escrowAmount: loggedEscrow ?? trace.escrowAmount,
    prepaid: amount > 0n && !hasArrived,
    paymentNonce,
    taskId: trace.taskId,
    ...positionOf(event),
  })
}

/**
 * Records that the forwarder returned a payment to its payer. Another account had submitted the payment, and no call
 * used it.
 */
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
