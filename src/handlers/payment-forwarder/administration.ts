import { ponder } from 'ponder:registry'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { recordMarketEvent } from '../../store/market.ts'

const forwarder = { contract: 'forwarder', abi: paymentForwarderAbi } as const

ponder.on('PaymentForwarder:RelayerSet', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'RelayerSet' })
})

ponder.on('PaymentForwarder:RouteSet', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'RouteSet' })
})

ponder.on('PaymentForwarder:FeesSwept', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'FeesSwept' })
})

ponder.on('PaymentForwarder:GuardianSet', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'GuardianSet' })
})

ponder.on('PaymentForwarder:PrepaidPerDaySet', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'PrepaidPerDaySet' })
})

ponder.on('PaymentForwarder:OwnershipTransferStarted', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'OwnershipTransferStarted' })
})

ponder.on('PaymentForwarder:OwnershipTransferred', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'OwnershipTransferred' })
})

ponder.on('PaymentForwarder:RefundAnnounced', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'RefundAnnounced' })
})

ponder.on('PaymentForwarder:RefundVetoed', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'RefundVetoed' })
})

ponder.on('PaymentForwarder:BoundOnlySet', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'BoundOnlySet' })
})
