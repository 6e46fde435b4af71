import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { fillPath, findStanding } from './begin.ts'
import { hashRequest } from './hash-request.ts'
import { Refused } from './write-spec.ts'
import { writes } from './write-table.ts'

/**
 * Returns true if a call of `write` with these arguments would continue an earlier write. If a `key` is given, this is
 * the write of the key, if it was sent or is completed. Without a `key`, it is an equal write that was sent and whose
 * outcome is open. `previewWrite` does not return this information.
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
    // The write itself is refused for this error.
    if (error instanceof Refused) return false
    throw error
  }
  return await store.update(account.address, (state) => findStanding(state, { requestHash, key, again }))
}
