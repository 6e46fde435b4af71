import type { ClientContext } from '../context.ts'

/**
 * Reads the reward of a task from this wallet's own records, base units; 0n: not recorded.
 * @throws StoreError
 */
export async function readOwnReward(
  { store, account }: Pick<ClientContext, 'store' | 'account'>,
  taskId: string,
): Promise<bigint> {
  if (store === null || account === null) return 0n
  return await store.update(account.address, (state) => BigInt(state.tasks[taskId]?.reward ?? '0'))
}
