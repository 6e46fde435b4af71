import type { CallKind } from '../../protocol/relay.ts'
import type { Operation } from './operations.ts'

/** Every other operation calls the market. */
const otherKinds: Partial<Record<Operation, CallKind>> = {
  'identity.register': 'registry',
  'identity.mint': 'registry',
  'sponsoredTaskVaults.settle': 'registry',
  'sponsoredTaskVaults.reconcile': 'registry',
  'sponsoredTaskVaults.claim': 'claim',
  'wallet.withdrawToken': 'claim',
  'wallet.withdraw': 'transfer',
}

/** Returns the kind of an operation's call. Example: of `tasks.create` it is `market`. */
export function kindOf(operation: Operation): CallKind {
  return otherKinds[operation] ?? 'market'
}
