import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { fillPath, findStanding } from './begin.ts'
import { hashRequest } from './hash-request.ts'
import { Refused } from './write-spec.ts'
import { writes } from './write-table.ts'

/**
 * Whether the journal has this write, with an outcome that is open or, under its key, done: the same call goes on with it.
 * A preview says nothing of such a write: it may have been done.
 * @throws StoreError
 */
export async function isOpenWrite<Name extends WriteName>(
  { account, store }: Pick<ClientContext, 'account' | 'store'>,
  name: Name,
  { input, key, again }: { input: WriteInput<Name>; key?: string | undefined; again?: boolean | undefined },
): Promise<boolean> {
  if (account === null || store === null) return false
  let requestHash: string
  try {
    requestHash = await hashRequest(name, fillPath(writes[name].path, input), { input, account })
  } catch (error) {
    // The write itself is refused for it.
    if (error instanceof Refused) return false
    throw error
  }
  return await store.update(account.address, (state) => findStanding(state, { requestHash, key, again }))
}
