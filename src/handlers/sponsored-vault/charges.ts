import { ponder } from 'ponder:registry'
import { vaultCharge } from '../../schema/vault.ts'
import { type PositionedEvent, positionOf } from '../../store/event-position.ts'
import { getVaultId, setSpent, toChargeId, totalsOf, updateCharge, updateVault } from '../../store/vaults.ts'

ponder.on('SponsoredVault:RewardCharged', async ({ event, context }) => {
  const { taskId, manager, hook, gross, net, fee, spent, totals } = event.args
  const vaultId = await getVaultId(context.db, event)
  const vault = await updateVault(context.db, vaultId, totalsOf(totals))
  await context.db.insert(vaultCharge).values({
    id: toChargeId(vaultId, taskId),
    vaultId,
    taskId,
    hook,
    isOwnHook: hook.toLowerCase() === vault.hook.toLowerCase(),
    manager,
    epoch: vault.epoch,
    state: 'reserved',
    gross,
    net,
    fee,
    base: null,
    credited: 0n,
    creditedFee: 0n,
    released: 0n,
    paid: 0n,
    endedAt: null,
    endedBlock: null,
    endedTransaction: null,
    endedLogIndex: null,
    ...positionOf(event),
  })
  await setSpent(context.db, { vaultId, manager, spent })
})

ponder.on('SponsoredVault:RewardCredited', async ({ event, context }) => {
  const { taskId, credited, fee, released, base, spent, totals } = event.args
  const vaultId = await getVaultId(context.db, event)
  await updateVault(context.db, vaultId, totalsOf(totals))
  const { manager } = await updateCharge(context.db, { vaultId, taskId }, () => ({
    state: 'credited',
    base,
    credited,
    creditedFee: fee,
    released,
    ...endOf(event),
  }))
  await setSpent(context.db, { vaultId, manager, spent })
})

ponder.on('SponsoredVault:RewardReleased', async ({ event, context }) => {
  const { taskId, gross, spent, totals } = event.args
  const vaultId = await getVaultId(context.db, event)
  await updateVault(context.db, vaultId, totalsOf(totals))
  const { manager } = await updateCharge(context.db, { vaultId, taskId }, () => ({
    state: 'released',
    released: gross,
    ...endOf(event),
  }))
  await setSpent(context.db, { vaultId, manager, spent })
})

/** Returns the columns with the time, block, transaction and log index of the event that ends a charge. */
function endOf({ block, transaction, log }: PositionedEvent) {
  return {
    endedAt: block.timestamp,
    endedBlock: block.number,
    endedTransaction: transaction.hash,
    endedLogIndex: log.logIndex,
  }
}
