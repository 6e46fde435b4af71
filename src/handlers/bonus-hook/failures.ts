import { ponder } from 'ponder:registry'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { recordMarketEvent } from '../../store/market.ts'

ponder.on('BonusHook:BonusFailed', async ({ event, context }) => {
  await recordMarketEvent(context.db, { contract: 'bonus', abi: bonusHookAbi, event, name: 'BonusFailed' })
})
