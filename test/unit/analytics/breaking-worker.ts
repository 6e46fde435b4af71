import { parentPort } from 'node:worker_threads'

/** A parser's thread that fails in every way a thread can, and is ready after the milliseconds that its URL names. */
parentPort?.on('message', ({ text }: { text: string }) => {
  if (text === 'throw') throw new RangeError('Maximum call stack size exceeded')
  if (text === 'exit') process.exit(3)
  if (text !== 'silent') parentPort?.postMessage({ parameterCount: 0 })
})
const startMs = Number(new URL(import.meta.url).searchParams.get('start') ?? 0)
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, startMs)
parentPort?.postMessage('ready')
