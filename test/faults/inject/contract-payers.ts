import { putScriptedWallet, type Refusal } from '../../support/scripted-contracts.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCaseContext } from '../fault-case.ts'

/**
 * Creates whose payers are new contract wallets.
 * @param refuse when the wallets refuse; a refusal burns all gas
 */
export async function prepareContractPayers(
  context: FaultCaseContext,
  count: number,
  refuse: Refusal,
): Promise<PreparedWrite[]> {
  const writes = await context.prepare('create', count)
  for (const { account } of writes) {
    const wallet = await putScriptedWallet(context.environment.anvil, account.address)
    await wallet.refuse(refuse, true)
  }
  return writes.map((write) => ({ ...write, isForeign: true }))
}
