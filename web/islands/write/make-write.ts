import type { Client, Outcome, Preview } from '../../../client/src/index.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { dropWrite, findEqual, keepWrite } from './open-writes.ts'
import { type AskedWrite, paymentRows } from './sheet-words.ts'

/** Outcome of a write of any kind. */
export type AnyOutcome = Outcome<Record<string, unknown>>

/**
 * Sends a write that a person confirmed. This browser stores the write until the write's outcome is final. If this
 * browser already stores a write with the same wallet, name and input, the new write gets the idempotency key of the
 * stored write. The service then does not execute the write twice.
 */
export async function makeWrite(
  { client, wallet }: { client: Client; wallet: ConnectedWallet },
  { name, input, words, page }: AskedWrite,
  { agreed, decideAgain }: { agreed: Preview; decideAgain: (call: NonNullable<Preview['call']>) => Promise<boolean> },
): Promise<AnyOutcome> {
  const { address } = wallet.account
  const equalWrite = await findEqual({ wallet: address, name, input })
  const key = equalWrite?.key ?? crypto.randomUUID()
  const target = page === null ? `${location.pathname}${location.search}` : page({ taskId: null })
  const { title, effects } = words
  const payment = paymentRows(name, agreed)
  await keepWrite({ key, wallet: address, name, input, title, payment, effects, page: target, createdAt: Date.now() })
  const outcome = (await client.write(name, input as never, {
    key,
    agreed,
    decideAgain,
    isConfirmed: true,
    long: true,
  })) as AnyOutcome
  if (isFinal(outcome)) await dropWrite(key)
  return outcome
}

/** Returns true if the outcome of a write is final. The write is then not sent again. */
export function isFinal({ kind }: AnyOutcome): boolean {
  return kind === 'completed' || kind === 'refused'
}
