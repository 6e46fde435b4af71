import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { fillPath, findStanding } from './begin.ts'
import { hashRequest } from './hash-request.ts'
import { Refused } from './write-spec.ts'
import { writes } from './write-table.ts'

/**
 * Returns true if a call of `write` with these arguments would continue an earlier write. `previewWrite` does not
 * return this information.
 *
 * With a `key`, the earlier write is the write under the key, if that write has the same arguments and was sent or is
 * completed. Without a `key`, the earlier write is a write with the same arguments that was sent and whose outcome is
 * open.
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
