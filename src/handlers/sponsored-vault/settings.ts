import { ponder } from 'ponder:registry'
import { vaultCharger, vaultManager } from '../../schema/vault.ts'
import { positionOf } from '../../store/event-position.ts'
import { recordVaultEvent, totalsOf, toVaultAccountId } from '../../store/vaults.ts'

ponder.on('SponsoredVault:ManagerSet', async ({ event, context }) => {
  const { manager, spendCap, spent, active } = event.args
  const { vaultId } = await recordVaultEvent(context.db, { event, name: 'ManagerSet' })
  await context.db
    .insert(vaultManager)
    .values({
      id: toVaultAccountId(vaultId, manager),
      vaultId,
      manager,
      spendCap,
      spent,
      active,
      ...positionOf(event),
    })
    .onConflictDoUpdate({ spendCap, spent, active })
})

ponder.on('SponsoredVault:ChargerSet', async ({ event, context }) => {
  const { hook, allowed } = event.args
  const { vaultId } = await recordVaultEvent(context.db, { event, name: 'ChargerSet' })
  await context.db
    .insert(vaultCharger)
    .values({ id: toVaultAccountId(vaultId, hook), vaultId, hook, allowed, ...positionOf(event) })
    .onConflictDoUpdate({ allowed })
})

ponder.on('SponsoredVault:FeeCreditSet', async ({ event, context }) => {
  const { totals } = event.args
  await recordVaultEvent(context.db, { event, name: 'FeeCreditSet', change: () => totalsOf(totals) })
})
