import { ponder } from 'ponder:registry'
import { recordVaultEvent, totalsOf } from '../../store/vaults.ts'

ponder.on('SponsoredVault:Funded', async ({ event, context }) => {
  const { amount, totals } = event.args
  await recordVaultEvent(context.db, {
    event,
    name: 'Funded',
    change: (row) => ({ ...totalsOf(totals), fundedTotal: row.fundedTotal + amount }),
  })
})

ponder.on('SponsoredVault:AvailableWithdrawn', async ({ event, context }) => {
  const { amount, totals } = event.args
  await recordVaultEvent(context.db, {
    event,
    name: 'AvailableWithdrawn',
    change: (row) => ({ ...totalsOf(totals), withdrawnTotal: row.withdrawnTotal + amount }),
  })
})

ponder.on('SponsoredVault:FeesCollected', async ({ event, context }) => {
  const { amount, totals } = event.args
  await recordVaultEvent(context.db, {
    event,
    name: 'FeesCollected',
    change: (row) => ({ ...totalsOf(totals), collectedTotal: row.collectedTotal + amount }),
  })
})
