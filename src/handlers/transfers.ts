import { ponder } from 'ponder:registry'
import { recordArrival } from '../store/arrivals.ts'

ponder.on('Usdc:Transfer', async ({ event, context }) => {
  await recordArrival(context.db, event, { bonusHook: context.contracts.BonusHook.address })
})

ponder.on('RewardToken:Transfer', async ({ event, context }) => {
  await recordArrival(context.db, event, { bonusHook: context.contracts.BonusHook.address })
})
