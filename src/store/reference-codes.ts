import type { Hex } from 'viem'
import { listReferenceCodes, type ReferenceKind } from '../../protocol/rules/reference-code.ts'
import { referenceCode } from '../schema/market.ts'
import type { Store } from './store.ts'

/** Stores the shortest reference code that is still free, and returns the code. @throws if the id already has a code */
export async function takeReferenceCode(store: Store, kind: ReferenceKind, targetId: Hex): Promise<string> {
  for (const code of listReferenceCodes(kind, targetId)) {
    const holder = await store.find(referenceCode, { code })
    if (holder === null) {
      await store.insert(referenceCode).values({ code, kind, targetId })
      return code
    }
    if (holder.targetId === targetId) break
  }
  throw new Error(`${kind} ${targetId} took a reference code twice`)
}
