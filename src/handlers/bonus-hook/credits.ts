import { ponder } from 'ponder:registry'
import { bonusRoles, skipReasons } from '../../../protocol/rules/bonus.ts'
import { bonusAccount, bonusCredit, bonusLock, bonusSkip } from '../../schema/bonus.ts'
import { addCredit, getProgramme, insertCompletion, toBonusSideId } from '../../store/bonus.ts'
import { positionOf } from '../../store/event-position.ts'

ponder.on('BonusHook:WalletFirstSeen', async ({ event, context }) => {
  const { account, firstSeen } = event.args
  await context.db.insert(bonusAccount).values({
    account,
    firstSeen,
    epoch: 0,
    workerUsd: 0n,
    requesterUsd: 0n,
    claimable: 0n,
    creditedTotal: 0n,
    withdrawnTotal: 0n,
    withdrawalCount: 0,
    ...positionOf(event),
  })
})

ponder.on('BonusHook:BonusLocked', async ({ event, context }) => {
  const { taskId, worker, price, usdValue, tokenPerUsdc } = event.args
  const { bonusBps } = await getProgramme(context.db)
  const lock = {
    worker,
    round: Number(event.args.round),
    price,
    usdValue,
    tokenPerUsdc,
    bonusBps,
    workerSplitBps: Number(event.args.workerSplitBps),
    ...positionOf(event),
  } satisfies Partial<typeof bonusLock.$inferInsert>
  await context.db
    .insert(bonusLock)
    .values({ taskId, ...lock })
    .onConflictDoUpdate(() => lock)
})

ponder.on('BonusHook:BonusCredited', async ({ event, context }) => {
  const { taskId, account, usdBonus, usdCredited, tokenPerUsdc, share, credited } = event.args
  const role = toRole(event.args.role)
  if (role === 'award') throw new Error(`the programme credited an award as a whole: task ${taskId}`)
  await insertCompletion(context.db, taskId, event)
  const [rank, epoch] = [Number(event.args.rank), Number(event.args.epoch)]
  await context.db.insert(bonusCredit).values({
    id: toBonusSideId(taskId, { rank, role }),
    taskId,
    rank,
    role,
    account,
    usdBonus,
    usdCredited,
    tokenPerUsdc,
    share,
    multiplierBps: Number(event.args.multiplierBps),
    credited,
    epoch,
    ...positionOf(event),
  })
  await addCredit(context.db, { account, role, usd: usdCredited, tokens: credited, epoch })
})

ponder.on('BonusHook:BonusSkipped', async ({ event, context }) => {
  const { taskId, account } = event.args
  const role = toRole(event.args.role)
  const rank = Number(event.args.rank)
  const reason = skipReasons[event.args.reason]
  if (reason === undefined) throw new Error(`the programme logged skip reason ${event.args.reason}`)
  await insertCompletion(context.db, taskId, event)
  await context.db.insert(bonusSkip).values({
    id: toBonusSideId(taskId, { rank, role }),
    taskId,
    rank,
    role,
    account,
    reason,
    ...positionOf(event),
  })
})

/** Converts the contract's role number to a role name. @throws for a number outside the contract's enum */
function toRole(contractRole: number) {
  const role = bonusRoles[contractRole]
  if (role === undefined) throw new Error(`the programme logged role ${contractRole}`)
  return role
}
