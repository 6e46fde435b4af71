import type { ClientContext } from '../context.ts'

/**
 * Returns the reward that this wallet has recorded for a task, in base units of USDC; 0n without a record.
 * @throws StoreError
 */
export async function readOwnReward(
  { store, account }: Pick<ClientContext, 'store' | 'account'>,
  taskId: string,
): Promise<bigint> {
  if (store === null || account === null) return 0n
  return await store.update(account.address, (state) => BigInt(state.tasks[taskId]?.reward ?? '0'))
}
