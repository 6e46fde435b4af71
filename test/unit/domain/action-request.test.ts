import { expect, test } from 'vitest'
import { actionRequestOf } from '../../../api/domain/action-request.ts'
import { taskId } from '../../support/task-snapshots.ts'

test.each([
  ['claim', 'createClaim', 'claim', `service:claim:${taskId}:2`],
  ['cancel', 'cancelTask', 'cancel', null],
  ['submit', 'createSubmission', 'submissions', `service:submit:${taskId}`],
] as const)('given the action %s, then its request is %s, with the text to sign', (action, operationId, path, sign) => {
  const request = actionRequestOf(action, { id: taskId, claimRound: 2, serviceName: 'service' })
  expect(request).toEqual({ method: 'POST', path: `/api/tasks/${taskId}/${path}`, operationId, sign })
})
