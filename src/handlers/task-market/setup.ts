import { ponder } from 'ponder:registry'
import { insertMarket } from '../../store/market.ts'

ponder.on('TaskMarket:setup', async ({ context }) => {
  const { TaskMarket, PaymentForwarder, Usdc } = context.contracts
  await insertMarket(context.db, {
    market: TaskMarket.address,
    forwarder: PaymentForwarder.address,
    usdc: Usdc.address,
  })
})
