import { expect, test } from 'vitest'
import type { Reads } from '../../../web/http/read.ts'
import { loadTask } from '../../../web/pages/tasks/load-task.ts'
import { aTask } from './a-task.ts'

const code = 'TSK-MVSFMM75'
const [first, second] = ['11', '22'].map((byte) => aTask({ id: `0x${byte.repeat(32)}`, submissionCount: 1 }))

/** Reads of a market in which the code is that of `task`. An answer below a task is that task's id. */
function readsOf(task: ReturnType<typeof aTask>): Reads {
  const get = async (path: string, { path: { taskId } = {} }: { path?: Record<string, string> } = {}) => {
    if (path === '/api/tasks/{taskId}') return task
    return path === '/api/tasks/{taskId}/submissions' ? [taskId] : { movements: [] }
  }
  return { get: get as Reads['get'], sql: async () => [], head: () => ({ block: null, now: 0, age: null }) }
}

test('given a code that is another task’s by now, such as after a reorg, then no part of the earlier one is shown', async () => {
  if (first === undefined || second === undefined) throw new Error('there are two tasks')
  for (const task of [first, first, second, second]) {
    expect((await loadTask(readsOf(task), code))?.submissions).toEqual([task.id])
  }
})
