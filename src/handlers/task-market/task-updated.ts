import { ponder } from 'ponder:registry'
import { takeFrom } from '../../../protocol/rules/amounts.ts'
import { toModeTerms } from '../../../protocol/rules/mode-terms.ts'
import { parseAuctionType, parseTaskMode } from '../../../protocol/rules/selectors.ts'
import { takeCollected } from '../../store/arrivals.ts'
import { updateMarketStats } from '../../store/market.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskUpdated', async ({ event, context }) => {
  const { taskId, reward, expiryTime, contentHash } = event.args
  const row = await getTask(context.db, taskId)
  const terms = { mode: parseTaskMode(row.mode), auctionType: parseAuctionType(row.auctionType) }
  const change = reward - row.reward
  // EscrowReturned counts the amount that a decrease returns.
  const increase = change > 0n ? change : 0n

  await updateMarketStats(context.db, (stats) => ({
    totalRewards: stats.totalRewards + change,
    listedTotalRewards: stats.listedTotalRewards + (row.listed ? change : 0n),
    totalEscrow: stats.totalEscrow + increase,
  }))
  await takeCollected(context.db, event, increase)
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskUpdated',
    subject: row.requester,
    amount: increase,
    patch: {
      reward,
      escrow: row.escrow + increase,
      expiryTime: BigInt(expiryTime),
      contentHash,
      ...toModeTerms(terms, event.args),
    },
  })
})

ponder.on('TaskMarket:EscrowReturned', async ({ event, context }) => {
  const { taskId, to, amount } = event.args
  const row = await getTask(context.db, taskId)
  await updateMarketStats(context.db, (stats) => ({ totalEscrow: takeFrom(stats.totalEscrow, amount) }))
  await recordTaskEvent(context.db, row, {
    event,
    name: 'EscrowReturned',
    subject: to,
    amount,
    patch: { escrow: takeFrom(row.escrow, amount) },
  })
})
