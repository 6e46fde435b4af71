import { ponder } from 'ponder:registry'
import { vaultEpoch } from '../../schema/vault.ts'
import { recordVaultEvent, totalsOf, toVaultEpochId } from '../../store/vaults.ts'

ponder.on('SponsoredVault:ExitAnnounced', async ({ event, context }) => {
  const { exitAt } = event.args
  await recordVaultEvent(context.db, { event, name: 'ExitAnnounced', change: () => ({ exitAt }) })
})

/**
 * Records a vault's exit. The exit ends the current epoch and all charges of the epoch. The event contains the number
 * of the next epoch.
 */
ponder.on('SponsoredVault:Exited', async ({ event, context }) => {
  const { to, defaulted, returned, totals } = event.args
  const epoch = Number(event.args.epoch)
  const endedAt = event.block.timestamp
  const { vaultId } = await recordVaultEvent(context.db, {
    event,
    name: 'Exited',
    change: () => ({ ...totalsOf(totals), epoch, exitedAt: endedAt }),
  })
  await context.db
    .update(vaultEpoch, { id: toVaultEpochId(vaultId, epoch - 1) })
    .set({ endedAt, defaulted, returned, returnedTo: to })
  await context.db.insert(vaultEpoch).values({
    id: toVaultEpochId(vaultId, epoch),
    vaultId,
    epoch,
    startedAt: endedAt,
    endedAt: null,
    defaulted: null,
    returned: null,
    returnedTo: null,
  })
})
