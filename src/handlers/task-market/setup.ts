import { ponder } from 'ponder:registry'
import { insertMarket } from '../../store/market.ts'

ponder.on('TaskMarket:setup', async ({ context }) => {
  await insertMarket(context.db)
})
