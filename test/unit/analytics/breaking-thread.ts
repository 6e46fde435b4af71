import { parentPort } from 'node:worker_threads'
import type { EngineTask } from '../../../api/analytics/engine.ts'

/** A thread of the engine that fails in every way a thread can: its task's text says how. */
const snapshot = null
parentPort?.on('message', ({ query }: EngineTask) => {
  const [when, how] = query.text.split(' ')
  if (when === 'running') parentPort?.postMessage('running')
  if (how === 'throw') throw new RangeError('Maximum call stack size exceeded')
  if (how === 'exit') process.exit(3)
  if (how === 'refuse') {
    parentPort?.postMessage({ failure: { kind: 'refused', message: 'no', position: 7, cause: null } })
  }
  if (how === 'answer') parentPort?.postMessage({ result: { snapshot, plan: '[]' } })
})
parentPort?.postMessage('ready')
