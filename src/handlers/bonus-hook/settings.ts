import { ponder } from 'ponder:registry'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { insertProgramme, updateProgramme } from '../../store/bonus.ts'
import { recordMarketEvent } from '../../store/market.ts'

const bonus = { contract: 'bonus', abi: bonusHookAbi } as const

ponder.on('BonusHook:ProgrammeStarted', async ({ event, context }) => {
  await insertProgramme(context.db, { ...event.args, hook: event.log.address })
  await recordMarketEvent(context.db, { ...bonus, event, name: 'ProgrammeStarted' })
})

ponder.on('BonusHook:RateUpdated', async ({ event, context }) => {
  const { tokenPerUsdc } = event.args
  await updateProgramme(context.db, () => ({ tokenPerUsdc }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'RateUpdated' })
})

ponder.on('BonusHook:BonusBpsUpdated', async ({ event, context }) => {
  const bonusBps = Number(event.args.bonusBps)
  await updateProgramme(context.db, () => ({ bonusBps }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'BonusBpsUpdated' })
})

ponder.on('BonusHook:WorkerSplitUpdated', async ({ event, context }) => {
  const workerSplitBps = Number(event.args.workerSplitBps)
  await updateProgramme(context.db, () => ({ workerSplitBps }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'WorkerSplitUpdated' })
})

ponder.on('BonusHook:BoundsUpdated', async ({ event, context }) => {
  const maxBonusPerFeeBps = Number(event.args.maxBonusPerFeeBps)
  const maxRateDriftBps = Number(event.args.maxRateDriftBps)
  await updateProgramme(context.db, () => ({ maxBonusPerFeeBps, maxRateDriftBps }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'BoundsUpdated' })
})

ponder.on('BonusHook:CapsUpdated', async ({ event, context }) => {
  const { globalUsd, workerUsd, requesterUsd, taskUsd, globalTokens } = event.args.caps
  await updateProgramme(context.db, () => ({
    globalUsdCap: BigInt(globalUsd),
    workerUsdCap: BigInt(workerUsd),
    requesterUsdCap: BigInt(requesterUsd),
    taskUsdCap: BigInt(taskUsd),
    globalTokenCap: globalTokens,
  }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'CapsUpdated' })
})

ponder.on('BonusHook:RampUpdated', async ({ event, context }) => {
  const { afterSeconds, multiplierBps } = event.args
  await updateProgramme(context.db, () => ({
    rampAfterSeconds: [...afterSeconds],
    rampMultiplierBps: [...multiplierBps],
  }))
  await recordMarketEvent(context.db, { ...bonus, event, name: 'RampUpdated' })
})

ponder.on('BonusHook:EpochRolled', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...bonus, event, name: 'EpochRolled' })
})

ponder.on('BonusHook:OwnershipTransferStarted', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...bonus, event, name: 'OwnershipTransferStarted' })
})

ponder.on('BonusHook:OwnershipTransferred', async ({ event, context }) => {
  await recordMarketEvent(context.db, { ...bonus, event, name: 'OwnershipTransferred' })
})
