import { putScriptedWallet, type Refusal } from '../../support/scripted-contracts.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultContext } from '../fault-case.ts'

/**
 * Creates of fresh wallets that are contracts, each paid by a wallet of its own.
 * @param refuse when they refuse; a refusal takes all gas
 */
export async function prepareContractPayers(
  context: FaultContext,
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
