import type { Deps } from '../../deps.ts'
import type { Operation } from '../../intents/operations.ts'
import type { AnyWrite } from '../../writes/define-write.ts'

/** What every step of the relay works with. */
export interface RelayContext {
  deps: Deps
  /** The write behind each operation: how its result is made. */
  writes: ReadonlyMap<Operation, AnyWrite>
  /** Called when bytes went out: somebody should look for their receipt. */
  onSent: () => void
}
