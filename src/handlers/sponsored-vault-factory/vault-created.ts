import { ponder } from 'ponder:registry'
import { toTokenText } from '../../../protocol/rules/token-text.ts'
import { sponsoredVault, vaultAddress, vaultEpoch } from '../../schema/vault.ts'
import { positionOf } from '../../store/event-position.ts'
import { toVaultEpochId } from '../../store/vaults.ts'

ponder.on('SponsoredVaultFactory:VaultCreated', async ({ event, context }) => {
  const { vaultId, vault, hook, owner, token, salt, name, symbol, decimals } = event.args
  await context.db.insert(sponsoredVault).values({
    vaultId,
    vault,
    hook,
    owner,
    token,
    salt,
    tokenName: toTokenText(name, event.args.hasName),
    tokenSymbol: toTokenText(symbol, event.args.hasSymbol),
    tokenDecimals: event.args.hasDecimals ? decimals : null,
    epoch: 0,
    exitAt: null,
    exitedAt: null,
    available: 0n,
    reserved: 0n,
    owed: 0n,
    fees: 0n,
    feeCredit: 0n,
    fundedTotal: 0n,
    withdrawnTotal: 0n,
    claimedTotal: 0n,
    collectedTotal: 0n,
    eventCount: 0,
    ...positionOf(event),
  })
  await context.db.insert(vaultAddress).values({ vault, vaultId })
  await context.db.insert(vaultEpoch).values({
    id: toVaultEpochId(vaultId, 0),
    vaultId,
    epoch: 0,
    startedAt: event.block.timestamp,
    endedAt: null,
    defaulted: null,
    returned: null,
    returnedTo: null,
  })
})
