import type { EngineTask } from '../../../api/analytics/engine.ts'

/** A process of the engine that fails in every way a process can: its task's text says how. */
const snapshot = null
process.on('message', ({ query }: EngineTask) => {
  const [when, how] = query.text.split(' ')
  if (when === 'running') process.send?.('running')
  if (how === 'throw') throw new RangeError('Maximum call stack size exceeded')
  if (how === 'exit') process.exit(3)
  if (how === 'kill') process.kill(process.pid, 'SIGKILL')
  if (how === 'refuse') {
    process.send?.({ failure: { kind: 'refused', message: 'no', position: 7, cause: null } })
  }
  if (how === 'pid') process.send?.({ result: { snapshot, plan: String(process.pid) } })
  if (how === 'answer') process.send?.({ result: { snapshot, plan: '[]' } })
})
process.send?.('ready')
