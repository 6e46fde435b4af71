import type { Hex } from 'viem'
import type { ActionName } from '../../protocol/actions.ts'
import { signatureSuffixOf } from '../../protocol/claim-round.ts'
import { operations } from '../../protocol/operations.ts'
import { toSignedMessage } from '../../protocol/signed/signed-text.ts'
import { type TaskVerb, taskText } from '../../protocol/signed/task-texts.ts'

/** The request that takes an action, without the body fields that the caller chooses. */
export interface ActionRequestLine {
  method: 'POST'
  /** The path from the service's root, with the task's id filled in. */
  path: string
  operationId: string
  /** The text of the EIP-191 signature that the body must carry; null: no signature is needed. */
  sign: string | null
}

/** The fields of a protocol entry that the request of an action shows. */
type ShownEntry = {
  operationId: string
  path: string
  action?: ActionName
  signed?: { verb: TaskVerb; suffixRule: 'round' | 'content' }
}

const entries: readonly ShownEntry[] = Object.values(operations)
const entryOfAction = new Map(entries.map((entry) => [entry.action, entry]))

/**
 * Returns the request of an action, complete enough for a caller without the project's tools. Interface, "Corrections
 * after the first build".
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
