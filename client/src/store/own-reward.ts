import type { ClientContext } from '../context.ts'

/**
 * Reads a task's reward as this wallet recorded it, base units of USDC; 0n if this wallet has recorded none.
 * @throws StoreError
 */
export async function readOwnReward(
  { store, account }: Pick<ClientContext, 'store' | 'account'>,
  taskId: string,
): Promise<bigint> {
  if (store === null || account === null) return 0n
  return await store.update(account.address, (state) => BigInt(state.tasks[taskId]?.reward ?? '0'))
}
