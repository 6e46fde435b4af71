import type { RecordingContext } from '../recording-context.ts'

/** Records a private task: the list of its viewers, and the password. */
export async function recordPrivateTask({ record, createTask, wallet }: RecordingContext): Promise<void> {
  const password = 'open sesame'
  const taskId = await createTask({ taskVisibility: 'private', accessPassword: password })
  const params = { taskId }
  const viewerAddress = wallet('bob').address
  await record('addTaskViewer', { params, body: { viewerAddress }, as: 'requester' })
  await record('listTaskViewers', { params, as: 'requester' })
  await record('removeTaskViewer', { params: { taskId, viewerAddress }, as: 'requester' })
  await record('verifyAccessPassword', { params, body: { taskId, password } })
}
