import { ponder } from 'ponder:registry'
import { zeroHash } from 'viem'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { bonusWithdrawal } from '../../schema/bonus.ts'
import { takeCollected } from '../../store/arrivals.ts'
import { takeClaim, updateProgramme } from '../../store/bonus.ts'
import { positionOf } from '../../store/event-position.ts'
import { recordMarketEvent } from '../../store/market.ts'

const bonus = { contract: 'bonus', abi: bonusHookAbi } as const

ponder.on('BonusHook:ReserveFunded', async ({ event, context }) => {
  const { amount } = event.args
  await takeCollected(context.db, event, amount)
  await updateProgramme(context.db, (row) => ({ totalFunded: row.totalFunded + amount }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'ReserveFunded' })
})

ponder.on('BonusHook:ReserveTaken', async ({ event, context }) => {
  const { amount } = event.args
  await updateProgramme(context.db, (row) => ({ totalTaken: row.totalTaken + amount }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'ReserveTaken' })
})

ponder.on('BonusHook:BonusWithdrawn', async ({ event, context }) => {
  const { account, destination, amount, nonce } = event.args
  const ordinal = await takeClaim(context.db, account, amount)
  await context.db.insert(bonusWithdrawal).values({
    id: `${account.toLowerCase()}:${ordinal}`,
    account,
    destination,
    amount,
    nonce: nonce === zeroHash ? null : nonce,
    ...positionOf(event),
  })
})
