import { ponder } from 'ponder:registry'
import { listLeaves } from '../../../protocol/rules/settlement-leaves.ts'
import { vaultClaim, vaultLeaf, vaultSettlement } from '../../schema/vault.ts'
import { positionOf } from '../../store/event-position.ts'
import { getVaultId, toChargeId, toLeafId, totalsOf, updateCharge, updateVault } from '../../store/vaults.ts'

ponder.on('SponsoredVault:SettlementInstalled', async ({ event, context }) => {
  const { taskId, root, total, workers, amounts } = event.args
  const epoch = Number(event.args.epoch)
  const vaultId = await getVaultId(context.db, event)
  const { isOwnHook } = await updateCharge(context.db, { vaultId, taskId }, () => ({ state: 'settled' }))
  await context.db.insert(vaultSettlement).values({
    id: toChargeId(vaultId, taskId),
    vaultId,
    taskId,
    epoch,
    root,
    total,
    ...positionOf(event),
  })
  // The list of another hook may be as long as its gas allows, and need not match its root.
  if (!isOwnHook) return
  for (const { index, worker, amount } of listLeaves(workers, amounts)) {
    await context.db.insert(vaultLeaf).values({
      id: toLeafId(vaultId, { taskId, index }),
      vaultId,
      taskId,
      epoch,
      index,
      worker,
      amount,
      paidAt: null,
      ...positionOf(event),
    })
  }
})

ponder.on('SponsoredVault:Claimed', async ({ event, context }) => {
  const { taskId, worker, destination, amount, nonce, paid, totals } = event.args
  const index = Number(event.args.index)
  const vaultId = await getVaultId(context.db, event)
  const id = toLeafId(vaultId, { taskId, index })
  await updateVault(context.db, vaultId, (row) => ({
    ...totalsOf(totals),
    claimedTotal: row.claimedTotal + amount,
  }))
  const { isOwnHook } = await updateCharge(context.db, { vaultId, taskId }, () => ({ paid }))
  if (isOwnHook) await context.db.update(vaultLeaf, { id }).set({ paidAt: event.block.timestamp })
  await context.db.insert(vaultClaim).values({
    id,
    vaultId,
    taskId,
    index,
    worker,
    destination,
    amount,
    nonce,
    ...positionOf(event),
  })
})
