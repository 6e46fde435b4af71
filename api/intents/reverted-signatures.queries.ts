import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { Operation } from './operations.ts'

/**
 * The parts of the message that `actor` signed for a call: `<service>:<verb>:<taskId><suffix>`. The operation
 * determines the verb.
 */
export interface SignedMessage {
  operation: Operation
  actor: Address
  taskId: Hex
  suffix: string
}

/**
 * Returns true if a call with this message failed after its transaction was signed. Any account may have read the
 * signature since then. The query compares the first argument of the calldata, which is the task's id in every signed
 * call.
 */
export async function hasRevertedCall(
  sql: Queryable,
  { operation, actor, taskId, suffix }: SignedMessage,
): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select exists (
      select from intents i
      where i.status = 'failed' and i.relay_mode = 'signed' and i.initiator = ${actor} and i.operation = ${operation}
        and i.suffix = ${suffix} and substr(i.calldata, 11, 64) = ${taskId.slice(2)}
        and exists (select from attempts a where a.intent_id = i.id)
    )`
  return row?.exists ?? false
}
