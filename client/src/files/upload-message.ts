import type { Address, Hex } from 'viem'
import { uploadText } from '../../../protocol/bound-call.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { taskText } from '../../../protocol/signed/task-texts.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

/**
 * Returns the text that a worker signs to upload files to a task. One signature is valid for all files of the task.
 *
 * If `deployment.bound` is true, the text has the form of the example. No contract accepts a text of this form as an
 * authorization. If `deployment.bound` is absent, the text is `service:submit:<taskId>`.
 *
 * Example: `service:upload:8453:0x3063..:0xabab..:0x15d3..`. The last two parts are the task id and the worker.
 */
export function uploadMessage(deployment: Deployment, taskId: string, worker: Address): string {
  if (deployment.bound !== true) return toSignedMessage(SERVICE_NAME, taskText('submit', taskId.toLowerCase() as Hex))
  return uploadText(SERVICE_NAME, deployment, { taskId: taskId as Hex, worker })
}
