import { parentPort } from 'node:worker_threads'

/** A parser's thread that fails in every way a thread can. */
parentPort?.on('message', ({ text }: { text: string }) => {
  if (text === 'throw') throw new RangeError('Maximum call stack size exceeded')
  if (text === 'exit') process.exit(3)
  if (text !== 'silent') parentPort?.postMessage({ parameterCount: 0 })
})
