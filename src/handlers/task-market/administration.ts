import { ponder } from 'ponder:registry'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { recordMarketEvent } from '../../store/market.ts'

const market = { contract: 'market', abi: taskMarketAbi } as const

ponder.on('TaskMarket:FeeUpdated', async ({ event, context }) => {
  const patch = { feeBps: event.args.feeBps }
  await recordMarketEvent(context.db, { ...market, event, name: 'FeeUpdated', patch })
})

ponder.on('TaskMarket:FeeRecipientUpdated', async ({ event, context }) => {
  const patch = { feeRecipient: event.args.recipient }
  await recordMarketEvent(context.db, { ...market, event, name: 'FeeRecipientUpdated', patch })
})

ponder.on('TaskMarket:RegistryUpdated', async ({ event, context }) => {
  const { identityRegistry, reputationRegistry } = event.args
  const patch = { identityRegistry, reputationRegistry }
  await recordMarketEvent(context.db, { ...market, event, name: 'RegistryUpdated', patch })
})

ponder.on('TaskMarket:DefaultHooksSet', async ({ event, context }) => {
  const patch = { defaultHooks: [...event.args.hooks] }
  await recordMarketEvent(context.db, { ...market, event, name: 'DefaultHooksSet', patch })
})

ponder.on('TaskMarket:Paused', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...market, event, name: 'Paused', patch: { paused: true } })
})

ponder.on('TaskMarket:Unpaused', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...market, event, name: 'Unpaused', patch: { paused: false } })
})

ponder.on('TaskMarket:ExcessSwept', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...market, event, name: 'ExcessSwept' })
})

ponder.on('TaskMarket:OwnershipTransferStarted', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...market, event, name: 'OwnershipTransferStarted' })
})

ponder.on('TaskMarket:OwnershipTransferred', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...market, event, name: 'OwnershipTransferred' })
})
