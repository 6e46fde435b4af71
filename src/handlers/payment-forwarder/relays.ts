import { ponder } from 'ponder:registry'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { toPaymentId } from '../../rules/row-ids.ts'
import { prepaidRefund, relayedIntent } from '../../schema/relay.ts'
import { positionOf } from '../../store/event-position.ts'
import { recordMarketEvent } from '../../store/market.ts'

/** The row proves to the API that the intent's call and payment took effect. */
ponder.on('PaymentForwarder:IntentRelayed', async ({ event, context }) => {
  const { intentId, actor, selector, amount, paymentNonce } = event.args
  await context.db
    .insert(relayedIntent)
    .values({ intentId, actor, selector, amount, paymentNonce, ...positionOf(event) })
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
