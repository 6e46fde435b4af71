import type { Hex } from 'viem'
import type { ActionName } from '../../protocol/actions.ts'
import { signatureSuffixOf } from '../../protocol/claim-round.ts'
import { operations } from '../../protocol/operations.ts'
import { toSignedMessage } from '../../protocol/signed/signed-text.ts'
import { type TaskVerb, taskText } from '../../protocol/signed/task-texts.ts'

/**
 * The HTTP request by which a client performs an action. The client chooses the values of the body fields, so they are
 * not included.
 */
export interface ActionRequestLine {
  method: 'POST'
  /** The path of the URL, with the task's id filled in. */
  path: string
  operationId: string
  /**
   * The text that the caller signs (EIP-191). The body must contain the signature. Null if the request needs no
   * signature.
   */
  sign: string | null
}

/** An operation (protocol/operations.ts), reduced to the fields that are needed to build the request of an action. */
type ShownEntry = {
  operationId: string
  path: string
  action?: ActionName
  signed?: { verb: TaskVerb; suffixRule: 'round' | 'content' }
}

const entries: readonly ShownEntry[] = Object.values(operations)
const entryOfAction = new Map(entries.map((entry) => [entry.action, entry]))

/**
 * Returns the HTTP request that performs an action. A caller can send the request with any HTTP client. See the
 * interface specification, "Corrections after the first build".
 */
export function actionRequestOf(
  action: ActionName,
  { id, claimRound, serviceName }: { id: Hex; claimRound: number; serviceName: string },
): ActionRequestLine {
  const entry = entryOfAction.get(action)
  if (entry === undefined) throw new Error(`no operation takes the action ${action}`)
  const { operationId, path, signed } = entry
  // A submission's signature contains no round, because the assigned worker delivers once.
  const suffix = signed?.suffixRule === 'round' ? signatureSuffixOf({ claimRound }) : ''
  return {
    method: 'POST',
    path: `/api${path.replace('{taskId}', id)}`,
    operationId,
    sign: signed === undefined ? null : toSignedMessage(serviceName, taskText(signed.verb, id), suffix),
  }
}
