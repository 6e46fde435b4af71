import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { Operation } from './operations.ts'

/**
 * The parts of the message that `actor` signed for a call: `<service>:<verb>:<taskId><suffix>`. The operation gives the
 * verb.
 */
export interface SignedMessage {
  operation: Operation
  actor: Address
  taskId: Hex
  suffix: string
}

/**
 * Returns true if a call with this message failed after its transaction was signed. The signature may be public since
 * then.
 */
export async function hasRevertedCall(
  sql: Queryable,
  { operation, actor, taskId, suffix }: SignedMessage,
): Promise<boolean> {
  // The first argument of the calldata is the task's id in every signed call.
  const [row] = await sql<{ exists: boolean }[]>`
    select exists (
      select from intents i
      where i.status = 'failed' and i.relay_mode = 'signed' and i.initiator = ${actor} and i.operation = ${operation}
        and i.suffix = ${suffix} and substr(i.calldata, 11, 64) = ${taskId.slice(2)}
        and exists (select from attempts a where a.intent_id = i.id)
    )`
  return row?.exists ?? false
}
