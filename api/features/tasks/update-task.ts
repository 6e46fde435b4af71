import { noTexts, reviseTexts } from '../../../protocol/documents/revise-texts.ts'
import { documentOfUpdate, updateTask as entry } from '../../../protocol/operations/update-task.ts'
import { admit } from '../../domain/actions/admit.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { findTaskDetail } from './task-detail.ts'
import { findTaskTexts } from './task-texts.queries.ts'
import { taskDetailSchema } from './tasks.schemas.ts'
import { updateTaskBody } from './update-task.schemas.ts'

/**
 * Changes the terms or texts of an open task.
 *
 * Example: `POST /api/tasks/0x9f0d../update` with `{"reward": "3000000", "tags": ["naming", ..]}` answers `{"id":
 * "0xcb6e..", "referenceCode": "TSK-SDQBFF40", "requester": "0x976E..", "requesterPubkey": null, ..}`.
 */
export const updateTask = defineWrite(entry, {
  body: updateTaskBody,
  response: taskDetailSchema,
  load: async ({ sql }, { taskId }) => {
    const task = await loadTaskSnapshot(sql, taskId)
    return task && { task, texts: (await findTaskTexts(sql, task.id)) ?? noTexts }
  },
  facts: { reward: ({ task }) => task.reward, texts: ({ texts }) => texts },
  preflight: ({ task, texts }, update, { actor, now }) =>
    admit('update', task, { actor, now, args: { ...update, textsChange: reviseTexts(texts, update) !== null } }),
  content: async (_deps, subject, update, { actor: requester }) => {
    const document = documentOfUpdate(update, subject)
    if (document === null) return { content: {} }
    return {
      content: { task: { requester, contentHash: document.hash, document: document.text, ...document.texts } },
    }
  },
  result: ({ txHash }) => ({ body: { txHash } }),
  respond: async (deps, _result, { taskId }) => await findTaskDetail(deps, taskId),
})
