import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { CurationStatus } from './vault-curation.queries.ts'

/** A task's reward from a vault. Amounts are decimal strings in base units of the vault's token. */
export interface TaskRewardRow {
  vaultId: Hex
  token: Address
  tokenSymbol: string | null
  tokenDecimals: number | null
  gross: string
  net: string
  state: string
  credited: string
  paid: string
  epoch: number
  vaultEpoch: number
  curationStatus: CurationStatus
}

/**
 * Selects the `TaskRewardRow`s of task `t` as a JSON array, or null if the task has none. A reward counts only if it
 * was charged by the hook of the vault (`sponsored_vault.hook`). Any other hook may choose any task and amount.
 */
export function taskRewards(sql: Queryable) {
  return sql`(
    select jsonb_agg(jsonb_build_object(
      'vaultId', charge.vault_id, 'token', vault.token, 'tokenSymbol', vault.token_symbol,
      'tokenDecimals', vault.token_decimals, 'gross', charge.gross::text, 'net', charge.net::text,
      'state', charge.state, 'credited', charge.credited::text, 'paid', charge.paid::text,
      'epoch', charge.epoch, 'vaultEpoch', vault.epoch,
      'curationStatus', coalesce(curation.status, 'unverified')
    ) order by charge.vault_id)
    from vault_charge charge
      join sponsored_vault vault using (vault_id)
      left join service.vault_curation curation using (vault_id)
    where charge.task_id = t.id and charge.is_own_hook
  )`
}
