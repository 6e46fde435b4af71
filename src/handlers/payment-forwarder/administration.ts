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

ponder.on('PaymentForwarder:OwnershipTransferStarted', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'OwnershipTransferStarted' })
})

ponder.on('PaymentForwarder:OwnershipTransferred', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...forwarder, event, name: 'OwnershipTransferred' })
})
